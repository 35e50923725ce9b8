#include "faying/signal/modal_filter.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"

namespace faying::signal {

ModalRecords modal_filter(const std::vector<Record>& channels, const Eigen::MatrixXd& shapes,
                          const std::string& where) {
    if (shapes.rows() != Eigen::Index(channels.size()))
        throw core::BadInput(where, fmt::format("shapes have {} rows for {} channels", shapes.rows(), channels.size()));
    if (shapes.cols() < 1 || shapes.cols() > shapes.rows())
        throw core::BadInput(where, fmt::format("{} modes from {} channels; allowed are 1 to {}", shapes.cols(),
                                                channels.size(), channels.size()));
    for (const Record& c : channels)
        if (c.values.size() != channels[0].values.size() || c.step != channels[0].step || c.start != channels[0].start)
            throw core::BadInput(where, "channels of a modal filter must be recorded together");
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(shapes, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const auto& s = svd.singularValues();
    if (!(s(s.size() - 1) > 1e-10 * s(0)))
        throw core::BadInput(where,
                             "the channels cannot tell the given shapes apart: they are linearly dependent there");
    const Eigen::MatrixXd inverse = svd.matrixV() * s.cwiseInverse().asDiagonal() * svd.matrixU().transpose();
    ModalRecords result{{}, s(0) / s(s.size() - 1)};
    for (Eigen::Index r = 0; r < inverse.rows(); ++r) {
        Record q{channels[0].start, channels[0].step, std::vector<double>(channels[0].values.size(), 0.0)};
        for (std::size_t c = 0; c < channels.size(); ++c)
            for (std::size_t i = 0; i < q.values.size(); ++i)
                q.values[i] += inverse(r, Eigen::Index(c)) * channels[c].values[i];
        result.modes.push_back(std::move(q));
    }
    return result;
}

}  // namespace faying::signal
