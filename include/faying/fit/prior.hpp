#pragma once
// What is believed of a parameter before the data, and the coordinate it is sampled in: z, standard normal beforehand
// for every parameter. What data do not determine stays a standard normal, which samplers and evidence like best.
//
//     const Prior force = Prior::log_uniform("FS", 1e2, 1e5);
//     force.value(0.0);                    // 3162: the middle
//     force.coordinate(1e4);               // back

#include <string>

namespace faying::fit {

struct Prior {
    enum class Kind { uniform, log_uniform, normal, log_normal };

    std::string key;
    Kind kind = Kind::uniform;
    double a = 0, b = 1;  ///< ends of the range; or centre (median) and standard deviation (of the logarithm)

    static Prior uniform(std::string key, double low, double high);
    static Prior log_uniform(std::string key, double low, double high);
    static Prior normal(std::string key, double mean, double deviation);
    static Prior log_normal(std::string key, double median, double deviation);

    double value(double z) const;
    double slope(double z) const;  ///< d value / d z
    /// Values outside the range are moved to where the prior has 1e-6 of its mass left.
    double coordinate(double value) const;
};

/// The standard normal distribution and back.
double normal_share(double z);
double normal_quantile(double share);

}  // namespace faying::fit
