#pragma once
// Collects the fastest repetition of every timing; prints one row a law, then every promise with what was measured.

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace faying::bench {

class Report : public benchmark::BenchmarkReporter {
 public:
    explicit Report(std::vector<std::string> laws) : laws_(std::move(laws)) {}
    bool ReportContext(const Context& context) override;
    void ReportRuns(const std::vector<Run>& runs) override;  ///< called once a repetition
    void Finalize() override;

 private:
    /// Nanoseconds a step or a site, by "law/timing": the least CPU time over the repetitions, which on a shared
    /// machine is the one least disturbed.
    std::map<std::string, double> fastest_;
    std::vector<std::string> laws_;  ///< in the order they are printed; the runs come shuffled

    double time(const std::string& name) const;  ///< NaN when it was not run
    void table() const;
    void promises() const;
};

}  // namespace faying::bench
