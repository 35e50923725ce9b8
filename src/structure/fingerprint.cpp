#include "faying/structure/fingerprint.hpp"

#include <fmt/format.h>

#include "faying/core/checksum.hpp"

namespace faying::structure {

std::string fingerprint(const Model& model) {
    core::Checksum sum;
    const auto bytes = [&](const void* data, std::size_t size) { sum.add({static_cast<const char*>(data), size}); };
    const auto matrix = [&](const auto& m) { bytes(m.data(), std::size_t(m.size()) * sizeof(double)); };
    matrix(model.mass);
    matrix(model.stiffness);
    matrix(model.damping);
    matrix(model.static_force);
    bytes(&model.damping_ratio, sizeof(double));
    for (const auto& joint : model.joints) {
        matrix(joint.map);
        matrix(joint.weight);
        bytes(joint.law.name().data(), joint.law.name().size());
        bytes(joint.law.values().data(), joint.law.values().size() * sizeof(double));
    }
    return fmt::format("{:016x}", sum.value());
}

}  // namespace faying::structure
