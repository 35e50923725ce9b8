#include <stdexcept>

#include "faying/core/error.hpp"
#include "faying/fit/nuts.hpp"

namespace faying::fit {

using Eigen::VectorXd;

Eigen::MatrixXd Chain::z() const {
    Eigen::MatrixXd all(Eigen::Index(draws.size()), at.size());
    for (std::size_t i = 0; i < draws.size(); ++i)
        all.row(Eigen::Index(i)) = Eigen::Map<const Eigen::RowVectorXd>(draws[i].data(), at.size());
    return all;
}

std::size_t Samples::size() const {
    std::size_t n = 0;
    for (const auto& c : chains) n += c.draws.size();
    return n;
}
Eigen::VectorXd Samples::draw(std::size_t i) const {
    for (const auto& c : chains) {
        if (i < c.draws.size()) return Eigen::Map<const VectorXd>(c.draws[i].data(), Eigen::Index(c.draws[i].size()));
        i -= c.draws.size();
    }
    throw std::out_of_range("draw");
}
double Samples::log_density(std::size_t i) const {
    for (const auto& c : chains) {
        if (i < c.draws.size()) return c.log_density[i];
        i -= c.draws.size();
    }
    throw std::out_of_range("draw");
}
int Samples::divergences() const {
    int n = 0;
    for (const auto& c : chains) n += c.divergences;
    return n;
}
long Samples::evaluations() const {
    long n = 0;
    for (const auto& c : chains) n += c.evaluations;
    return n;
}
long Samples::densities() const {
    long n = 0;
    for (const auto& c : chains) n += c.densities;
    return n;
}
double Samples::acceptance() const {
    double proposed = 0, accepted = 0;
    for (const auto& c : chains) proposed += c.proposed, accepted += c.accepted;
    return proposed > 0 ? accepted / proposed : 0;
}

void SampleOptions::check() const {
    core::require(chains >= 2 && chains <= 64, "sampling", "2 <= chains <= 64");
    core::require(warmup >= 100 && warmup <= 1000000, "sampling", "100 <= warmup <= 1000000");
    core::require(draws >= 100 && draws <= 1000000, "sampling", "100 <= draws <= 1000000");
    core::require(acceptance > 0.4 && acceptance < 0.999, "sampling", "0.4 < acceptance < 0.999");
    core::require(deepest >= 1 && deepest <= 15, "sampling", "1 <= deepest <= 15");
}

}  // namespace faying::fit
