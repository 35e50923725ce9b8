// Samples, diagnoses, evidence and predictions against distributions that are known.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "faying/fit/chains.hpp"
#include "faying/fit/evidence.hpp"
#include "faying/fit/predictive.hpp"

namespace {

using namespace faying::fit;
using Eigen::VectorXd;

constexpr double pi = std::numbers::pi;

double log_normal_density(const VectorXd& z) {
    return -0.5 * z.squaredNorm() - 0.5 * double(z.size()) * std::log(2 * pi);
}

/// Standard normal prior, and data y = A z + e with unit errors: posterior and evidence in closed form.
struct Linear {
    Eigen::MatrixXd A{{1, 2, 0}, {0, 1, -1}, {3, 0, 1}, {0.2, 0.1, 0.3}};
    VectorXd y{{0.7, -1.2, 2.0, 0.4}};

    double operator()(const VectorXd& z, VectorXd* slope) const {
        const VectorXd r = y - A * z;
        if (slope) *slope = A.transpose() * r - z;
        return log_normal_density(z) + log_normal_density(r);
    }
    Eigen::MatrixXd covariance() const { return (A.transpose() * A + Eigen::MatrixXd::Identity(3, 3)).inverse(); }
    VectorXd mean() const { return covariance() * A.transpose() * y; }
    double evidence() const {
        const Eigen::MatrixXd C = A * A.transpose() + Eigen::MatrixXd::Identity(4, 4);
        return -0.5 * y.dot(C.ldlt().solve(y)) - 0.5 * std::log(C.determinant()) - 2 * std::log(2 * pi);
    }
};

SampleOptions few(int draws = 1000) {
    SampleOptions o;
    o.warmup = 400;
    o.draws = draws;
    return o;
}

TEST(Nuts, DrawsANormalDistribution) {
    const Linear linear;
    const auto samples = sample(linear, VectorXd::Zero(3), few(2500));
    Eigen::MatrixXd all(Eigen::Index(samples.size()), 3);
    for (std::size_t i = 0; i < samples.size(); ++i) all.row(Eigen::Index(i)) = samples.draw(i);
    const VectorXd mean = all.colwise().mean();
    const Eigen::MatrixXd centred = all.rowwise() - mean.transpose();
    const Eigen::MatrixXd covariance = centred.transpose() * centred / double(all.rows());
    const Eigen::MatrixXd exact = linear.covariance();
    for (Eigen::Index i = 0; i < 3; ++i) {
        EXPECT_NEAR(mean(i), linear.mean()(i), 5 * std::sqrt(exact(i, i) / 4000));  // five errors of 4000 draws
        for (Eigen::Index k = 0; k < 3; ++k)
            EXPECT_NEAR(covariance(i, k), exact(i, k), 5 * std::sqrt(2 * exact(i, i) * exact(k, k) / 4000));
        std::vector<VectorXd> chains;
        for (const auto& c : samples.chains) chains.push_back(c.z().col(i));
        const auto d = diagnose(chains);
        EXPECT_LE(d.rhat, 1.01);
        EXPECT_GE(d.bulk, 4000);
    }
    EXPECT_EQ(samples.divergences(), 0);
}

/// A bent ridge: x normal, y about x^2. Its moments are known, its shape is not that of any normal distribution.
TEST(Nuts, FollowsABentRidge) {
    const Target ridge = [](const VectorXd& z, VectorXd* slope) {
        const double off = z(1) - z(0) * z(0);
        if (slope) *slope = VectorXd{{-z(0) + 2 * z(0) * off / 0.04, -off / 0.04}};
        return -0.5 * z(0) * z(0) - 0.5 * off * off / 0.04 - std::log(2 * pi * 0.2);
    };
    auto o = few(4000);
    o.acceptance = 0.95;
    const auto samples = sample(ridge, VectorXd::Zero(2), o);
    double x2 = 0, y = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const auto z = samples.draw(i);
        x2 += z(0) * z(0) / double(samples.size());
        y += z(1) / double(samples.size());
    }
    EXPECT_NEAR(x2, 1, 0.15);
    EXPECT_NEAR(y, 1, 0.15);
}

/// Two narrow peaks within the prior, of which the chains start at one: paths do not lead across, proposals do.
TEST(Nuts, JumpsBetweenPeaks) {
    const Target peaks = [](const VectorXd& z, VectorXd* slope) {
        const auto one = [&](double at, double share) {
            return std::log(share) - 0.5 * std::pow((z(0) - at) / 0.15, 2) - std::log(0.15 * std::sqrt(2 * pi));
        };
        const double a = one(1.5, 0.7), b = one(-1.5, 0.3), most = std::max(a, b);
        const double both = most + std::log(std::exp(a - most) + std::exp(b - most));
        const double right = std::exp(a - both);
        if (slope) *slope = VectorXd{{(right * (1.5 - z(0)) + (1 - right) * (-1.5 - z(0))) / (0.15 * 0.15), -z(1)}};
        return both - 0.5 * z(1) * z(1) - 0.5 * std::log(2 * pi);
    };
    const auto samples = sample(peaks, VectorXd{{1.4, 0}}, few(2000));
    double right = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) right += samples.draw(i)(0) > 0;
    EXPECT_NEAR(right / double(samples.size()), 0.7, 0.05);
    EXPECT_GT(samples.acceptance(), 0.3);
    const auto e = evidence(peaks, samples);
    EXPECT_NEAR(e.bridge.value, 0, 0.1);
    EXPECT_NEAR(e.importance.value, 0, 0.1);
}

/// A narrow ridge x2 = x0^2 - x0 x1 of deviation 0.01: a mixture in straightened coordinates is nearly its density.
TEST(Mixtures, StraightenABentRidge) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    Eigen::MatrixXd places(3000, 3);
    const auto ridge = [](double a, double b) { return 0.3 * (a * a - a * b); };
    for (auto row : places.rowwise()) {
        const double a = normal(random), b = normal(random);
        row << a, b, ridge(a, b) + 0.01 * normal(random);
    }
    const auto g = Mixture::fitted(places, VectorXd::Ones(3000), 3, 1);
    double sum = 0, squares = 0;
    for (int k = 0; k < 500; ++k) {
        const double a = normal(random), b = normal(random), c = normal(random);
        const VectorXd z{{a, b, ridge(a, b) + 0.01 * c}};
        const double exact = -0.5 * (a * a + b * b + c * c) - std::log(0.01) - 1.5 * std::log(2 * pi);
        const double off = exact - g.log_density(z);
        sum += off / 500;
        squares += off * off / 500;
        EXPECT_NEAR((g.straightening().bent(g.straightening().straight(z)) - z).norm(), 0, 1e-9);
    }
    EXPECT_LT(std::sqrt(squares - sum * sum), 0.7);  // without the bends 5
}

TEST(EvidenceEstimates, ShapeOfHeavyTails) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform;
    for (const double k : {0.2, 0.5, 0.9}) {
        VectorXd log_weights(20000);
        for (auto& w : log_weights) w = -k * std::log(uniform(random));
        EXPECT_NEAR(pareto_shape(log_weights), k, 0.15) << k;
    }
}

TEST(Nuts, SameBitsOnAnyThreadsAndWhenResumed) {
    const Linear linear;
    auto o = few(300);
    o.threads = 1;
    const auto once = sample(linear, VectorXd::Zero(3), o);
    o.threads = 4;
    const auto again = sample(linear, VectorXd::Zero(3), o);
    std::vector<std::optional<Chain>> kept(4);
    o.store.load = [&](int c) { return kept[std::size_t(c)]; };
    o.store.save = [&](int c, const Chain& chain) { kept[std::size_t(c)] = chain; };
    for (const int stop_at : {150, 900, 800}) {  // in the warm-up, and among the draws
        int left = stop_at;
        o.threads = 1;
        o.stop = [&] { return --left < 0; };
        EXPECT_THROW(sample(linear, VectorXd::Zero(3), o), faying::core::Interrupted);
    }
    o.stop = {};
    const auto resumed = sample(linear, VectorXd::Zero(3), o);
    for (std::size_t c = 0; c < 4; ++c) {
        EXPECT_EQ(once.chains[c].draws, again.chains[c].draws);
        EXPECT_EQ(once.chains[c].draws, resumed.chains[c].draws);
        EXPECT_EQ(once.chains[c].log_density, resumed.chains[c].log_density);
        EXPECT_EQ(once.chains[c].evaluations, resumed.chains[c].evaluations);
    }
}

TEST(Chains, EffectiveSizeOfAnAutoregression) {
    for (const double share : {0.0, 0.5, 0.9}) {
        std::mt19937_64 random(7);
        std::normal_distribution<double> normal;
        std::vector<VectorXd> chains;
        for (int c = 0; c < 4; ++c) {
            VectorXd x(5000);
            x(0) = normal(random);
            for (Eigen::Index i = 1; i < x.size(); ++i)
                x(i) = share * x(i - 1) + std::sqrt(1 - share * share) * normal(random);
            chains.push_back(x);
        }
        const double exact = 20000 * (1 - share) / (1 + share);
        EXPECT_NEAR(diagnose(chains).bulk, exact, 0.15 * exact) << share;
        EXPECT_LE(diagnose(chains).rhat, 1.01);
        chains[2].array() += 1;  // one chain elsewhere
        EXPECT_GT(diagnose(chains).rhat, 1.05);
        chains[2].array() -= 1;
        chains[2] *= 3;  // the same place, another width: only folded ranks see it
        EXPECT_GT(diagnose(chains).rhat, 1.03);
    }
}

TEST(EvidenceEstimates, OfALinearModel) {
    const Linear linear;
    const auto e = evidence(linear, sample(linear, VectorXd::Zero(3), few(2000)));
    EXPECT_NEAR(e.bridge.value, linear.evidence(), 5 * e.bridge.error + 0.01);
    EXPECT_NEAR(e.importance.value, linear.evidence(), 5 * e.importance.error + 0.01);
    EXPECT_LT(e.bridge.error, 0.05);
    EXPECT_TRUE(e.agree());
}

TEST(EvidenceEstimates, OfABentRidge) {
    const Target ridge = [](const VectorXd& z, VectorXd* slope) {
        const double off = z(1) - z(0) * z(0);
        if (slope) *slope = VectorXd{{-z(0) + 2 * z(0) * off / 0.04, -off / 0.04}};
        return 3 - 0.5 * z(0) * z(0) - 0.5 * off * off / 0.04 - std::log(2 * pi * 0.2);
    };
    auto o = few(4000);
    o.acceptance = 0.95;
    const auto e = evidence(ridge, sample(ridge, VectorXd::Zero(2), o));
    EXPECT_NEAR(e.bridge.value, 3, 0.15);
    EXPECT_NEAR(e.importance.value, 3, 0.15);
}

/// omega = w (1 - drop a^p), zeta = z0 + loss a^p: as a joint in microslip, in closed form.
CurveModel microslip(const std::vector<MeasuredRecord>& records) {
    CurveModel m;
    m.parameters = {Prior::log_normal("w", 500, 0.01), Prior::log_uniform("drop", 1e-4, 1e-1),
                    Prior::log_uniform("z0", 1e-4, 1e-2), Prior::log_uniform("loss", 1e-4, 1e-1),
                    Prior::uniform("p", 0.3, 1.5)};
    m.at = [records](const std::vector<double>& v, std::size_t r, bool slopes) -> std::optional<Prediction> {
        const auto& a = records[r].data.amplitude;
        const auto n = Eigen::Index(a.size());
        Prediction p{VectorXd(n), VectorXd(n)};
        if (slopes) p.omega_slopes = p.zeta_slopes = Eigen::MatrixXd::Zero(n, 5);
        for (Eigen::Index i = 0; i < n; ++i) {
            const double x = std::pow(a[std::size_t(i)], v[4]), dx = x * std::log(a[std::size_t(i)]);
            p.omega(i) = v[0] * (1 - v[1] * x);
            p.zeta(i) = v[2] + v[3] * x;
            if (!slopes) continue;
            p.omega_slopes.row(i) << 1 - v[1] * x, -v[0] * x, 0, 0, -v[0] * v[1] * dx;
            p.zeta_slopes.row(i) << 0, 0, 1, x, v[3] * dx;
        }
        return p;
    };
    return m;
}

std::vector<MeasuredRecord> empty_records(int tests, int points, bool stated) {
    std::vector<MeasuredRecord> all;
    for (int t = 0; t < tests; ++t) {
        MeasuredRecord r;
        r.name = "test " + std::to_string(t + 1);
        for (int i = 0; i < points; ++i) {
            r.data.amplitude.push_back(0.05 * std::pow(20, (i + 0.3 * t) / points));
            r.data.omega.push_back(500);
            r.data.zeta.push_back(1e-3);
        }
        if (stated) r.omega_error = 2e-4, r.zeta_error = 0.02;
        all.push_back(std::move(r));
    }
    return all;
}

/// Data as the posterior's own model makes them at these parameters, `extra` added to ln omega.
std::vector<MeasuredRecord> drawn(const Posterior& empty, const VectorXd& z, std::mt19937_64& random,
                                  const std::function<double(double)>& extra = {}) {
    std::normal_distribution<double> normal;
    const auto values = empty.values(z);
    const std::vector<double> theta(values.begin(), values.begin() + std::ptrdiff_t(empty.model_size()));
    auto records = empty.records();
    for (std::size_t r = 0; r < records.size(); ++r) {
        const auto p = empty.model().at(theta, r, false);
        for (int kind = 0; kind < 2; ++kind) {
            const Eigen::MatrixXd L = Eigen::LLT<Eigen::MatrixXd>(empty.covariance(values, r, kind)).matrixL();
            VectorXd e(L.rows());
            for (auto& x : e) x = normal(random);
            const VectorXd noise = L * e;
            for (Eigen::Index i = 0; i < noise.size(); ++i) {
                const auto k = std::size_t(i);
                if (kind == 0)
                    records[r].data.omega[k] =
                        p->omega(i) * std::exp(noise(i) + (extra ? extra(records[r].data.amplitude[k]) : 0));
                else
                    records[r].data.zeta[k] = p->zeta(i) * std::exp(noise(i));
            }
        }
    }
    return records;
}

VectorXd prior_draw(std::size_t size, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    VectorXd z(static_cast<Eigen::Index>(size));
    for (auto& x : z) x = normal(random);
    return z;
}

Target target_of(const Posterior& p) {
    return [&p](const VectorXd& z, VectorXd* slope) {
        return slope ? p.log_density_gradient(z, *slope) : p.log_density(z);
    };
}

TEST(PosteriorOfBackbones, GradientIsThatOfDifferences) {
    for (const bool stated : {true, false}) {
        const auto records = empty_records(2, 7, stated);
        const Posterior posterior(microslip(records), records);
        EXPECT_EQ(posterior.size(), stated ? 11u : 9u);
        std::mt19937_64 random(3);
        const Posterior filled(microslip(records),
                               drawn(posterior, VectorXd::Zero(Eigen::Index(posterior.size())), random));
        const VectorXd z = 0.3 * prior_draw(filled.size(), random);
        VectorXd slope;
        const double value = filled.log_density_gradient(z, slope);
        EXPECT_DOUBLE_EQ(value, filled.log_density(z));
        for (Eigen::Index i = 0; i < z.size(); ++i) {
            VectorXd up = z, down = z;
            up(i) += 1e-5;
            down(i) -= 1e-5;
            const double difference = (filled.log_density(up) - filled.log_density(down)) / 2e-5;
            EXPECT_NEAR(slope(i), difference, 1e-5 * (1 + std::abs(difference))) << i;
        }
    }
}

/// Simulation-based calibration (Talts and others 2018): parameters drawn from the prior, data from them; the rank of
/// the truth among draws of the posterior is uniform if, and only if, the posterior is right.
TEST(PosteriorOfBackbones, RanksAreUniform) {
    constexpr int ranks = 12;
    constexpr int experiments = 200;  // answers of one go together: of 60 the share covered is uncertain by 3 %
    const auto records = empty_records(2, 8, true);
    const Posterior empty(microslip(records), records);
    Eigen::MatrixXi counts = Eigen::MatrixXi::Zero(Eigen::Index(empty.size()), ranks);
    double covered = 0, asked = 0;
    int flagged = 0;
    for (int e = 0; e < experiments; ++e) {
        std::mt19937_64 random(std::uint64_t(100 + e));
        const VectorXd truth = prior_draw(empty.size(), random);
        const Posterior posterior(microslip(records), drawn(empty, truth, random));
        SampleOptions o;
        o.warmup = 300;
        o.draws = 400;
        o.chains = 2;
        o.seed = std::uint64_t(e);
        const auto samples = sample(target_of(posterior), truth, o);
        for (Eigen::Index i = 0; i < truth.size(); ++i) {
            int below = 0;
            constexpr int thin = 8;  // nearly independent draws
            for (std::size_t k = 0; k < samples.size(); k += thin) below += samples.draw(k)(i) < truth(i);
            ++counts(i, std::min(ranks - 1, below * ranks / (int(samples.size()) / thin + 1)));
        }
        // Predictions between and beyond the points measured.
        const auto values = empty.values(truth);
        auto asked_at = records;
        asked_at[0].data.amplitude = {0.03, 0.3, 1.5};
        const auto model = microslip(asked_at);
        const auto exact = model.at({values.begin(), values.begin() + 5}, 0, false);
        PredictOptions few_draws;
        few_draws.draws = 200;
        const auto band = predict(
            posterior, samples, [&](const std::vector<double>& theta) { return model.at(theta, 0, false); },
            asked_at[0].data.amplitude, few_draws);
        for (std::size_t k = 0; k < 3; ++k) {
            const auto i = Eigen::Index(k);
            covered += exact->omega(i) >= band.omega.low[k] && exact->omega(i) <= band.omega.high[k];
            covered += exact->zeta(i) >= band.zeta.low[k] && exact->zeta(i) <= band.zeta.high[k];
            asked += 2;
        }
        flagged += check_fit(posterior, samples, few_draws).misfit;
    }
    for (Eigen::Index i = 0; i < counts.rows(); ++i) {
        const double expected = double(experiments) / ranks;
        double chi_squared = 0;
        for (int k = 0; k < ranks; ++k) chi_squared += std::pow(counts(i, k) - expected, 2) / expected;
        EXPECT_LT(chi_squared, 31.3) << empty.parameters()[std::size_t(i)].key;  // 99.9 % of 11 degrees of freedom
    }
    EXPECT_GT(covered / asked, 0.90);
    EXPECT_LT(covered / asked, 0.99);
    EXPECT_LE(flagged, 1 + experiments / 25);  // at a level of one in a hundred for each kind
}

TEST(PosteriorOfBackbones, AWrongLawIsFlagged) {
    int flagged[2] = {0, 0};
    constexpr int experiments = 20;
    for (const bool stated : {true, false})
        for (int e = 0; e < experiments; ++e) {
            const auto records = empty_records(1, stated ? 10 : 25, stated);
            const Posterior empty(microslip(records), records);
            std::mt19937_64 random(std::uint64_t(500 + e));
            VectorXd truth = VectorXd::Zero(Eigen::Index(empty.size()));
            truth(4) = 0.5 * prior_draw(1, random)(0);
            if (!stated) truth(Eigen::Index(empty.model_size())) = empty.parameters()[5].coordinate(2e-4);
            // A frequency that turns up again.
            const Posterior posterior(microslip(records),
                                      drawn(empty, truth, random, [](double a) { return 9e-3 * a * a * a; }));
            SampleOptions o;
            o.warmup = 300;
            o.draws = 300;
            o.chains = 2;
            const auto samples = sample(target_of(posterior), truth, o);
            flagged[stated] += check_fit(posterior, samples, {.draws = 100}).misfit;
        }
    EXPECT_GE(flagged[0], 19);
    EXPECT_GE(flagged[1], 19);
}

TEST(PosteriorOfBackbones, BadRecordsAreRefused) {
    EXPECT_THROW(Posterior(microslip({}), {}), faying::core::BadInput);
    auto one = empty_records(1, 1, true);
    EXPECT_THROW(Posterior(microslip(one), one), faying::core::BadInput);
    EXPECT_THROW(Prior::log_uniform("x", -1, 2), faying::core::BadInput);
    EXPECT_THROW(Prior::normal("x", 0, 0), faying::core::BadInput);
}

}  // namespace
