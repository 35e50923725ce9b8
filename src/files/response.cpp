#include "faying/files/response.hpp"

#include <cmath>

#include "columns.hpp"

namespace faying::files {

MeasuredResponse read_response(const std::string& path) {
    const Columns columns(path, "omega (or frequency), force, amplitude");
    MeasuredResponse data;
    data.omega = columns.need({{"omega", 1}, {"frequency", hertz}});
    data.force = columns.need({{"force", 1}});
    data.amplitude = columns.need({{"amplitude", 1}});
    data.phase = columns.find({{"phase", 1}});
    if (data.size() == 0) throw core::BadInput(path, "has no points");
    for (std::size_t i = 0; i < data.size(); ++i) {
        for (const auto& [name, value] :
             {std::pair{"omega", data.omega[i]}, {"force", data.force[i]}, {"amplitude", data.amplitude[i]}})
            if (!(value > 0) || !std::isfinite(value))
                columns.reject(i, fmt::format("{} {:g} is not in (0, inf)", name, value));
        if (!data.phase.empty() && !std::isfinite(data.phase[i]))
            columns.reject(i, fmt::format("phase {:g} is not a finite number", data.phase[i]));
    }
    return data;
}

}  // namespace faying::files
