#pragma once
// Chains of a calibration on disk, so that one that was stopped goes on.

#include <memory>
#include <mutex>
#include <string>

#include "faying/fit/nuts.hpp"

namespace faying::study {

class Connection;

/// A chain as text, to the last bit.
std::string chain_text(const fit::Chain& chain);
fit::Chain chain_from(const std::string& text);

class CalibrationStore {
 public:
    /// Opens or makes the file. Throws BadInput for one that is no calibration, or another one's.
    CalibrationStore(const std::string& path, const std::string& fingerprint);
    ~CalibrationStore();

    /// Chains of one law; the store must outlive it.
    fit::ChainStore chains(const std::string& law);
    /// How long the law was sampled, over all runs.
    double seconds(const std::string& law);
    void add_seconds(const std::string& law, double seconds);

 private:
    std::mutex lock_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace faying::study
