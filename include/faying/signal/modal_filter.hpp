#pragma once
// Modal coordinates of several channels recorded together: q(t) = Phi^+ x(t), least squares over the channels ([S2]
// Eq. 14 is the case of every DOF measured: Phi^-1 = Phi^T M).

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "faying/signal/record.hpp"

namespace faying::signal {

struct ModalRecords {
    std::vector<Record> modes;
    double condition = 0;  ///< of the shapes at the sensors; large: modes that the sensors hardly tell apart
};

/// A column of `shapes` per mode, a row per channel. Throws core::BadInput for channels of different sampling, rows that do
/// not match, more modes than channels, or shapes that the channels cannot tell apart.
ModalRecords modal_filter(const std::vector<Record>& channels, const Eigen::MatrixXd& shapes, const std::string& where);

}  // namespace faying::signal
