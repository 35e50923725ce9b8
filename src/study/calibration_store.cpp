#include "calibration_store.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "sqlite.hpp"

namespace faying::study {

namespace {

constexpr int calibration_application = 0x46617943;  // "FayC", in the header of the file

nlohmann::json matrix_json(const Eigen::MatrixXd& m) {
    return {{"rows", m.rows()}, {"values", std::vector<double>(m.data(), m.data() + m.size())}};
}
Eigen::MatrixXd matrix_from(const nlohmann::json& j) {
    const auto values = j.at("values").get<std::vector<double>>();
    const auto rows = j.at("rows").get<Eigen::Index>();
    const auto columns = rows > 0 ? Eigen::Index(values.size()) / rows : 0;
    return Eigen::Map<const Eigen::MatrixXd>(values.data(), rows, columns);
}

nlohmann::json proposal_json(const fit::Proposal& p) {
    nlohmann::json parts = nlohmann::json::array();
    for (const auto& part : p.mixture.parts())
        parts.push_back(
            {{"weight", part.weight}, {"mean", matrix_json(part.mean)}, {"scale", matrix_json(part.scale)}});
    const auto& s = p.mixture.straightening();
    nlohmann::json bends = nlohmann::json::array();
    for (const auto& b : s.bends) bends.push_back(matrix_json(b));
    return {{"acceptance", p.acceptance},
            {"parts", parts},
            {"mean", matrix_json(s.mean)},
            {"deviations", matrix_json(s.deviations)},
            {"spread", matrix_json(s.spread)},
            {"axes", matrix_json(s.axes)},
            {"bends", bends}};
}
fit::Proposal proposal_from(const nlohmann::json& j) {
    std::vector<fit::NormalPart> parts;
    for (const auto& part : j.at("parts"))
        parts.push_back({part.at("weight"), matrix_from(part.at("mean")), matrix_from(part.at("scale"))});
    std::vector<Eigen::VectorXd> bends;
    for (const auto& b : j.at("bends")) bends.emplace_back(matrix_from(b));
    fit::Straightening s{matrix_from(j.at("mean")), matrix_from(j.at("deviations")), matrix_from(j.at("spread")),
                         matrix_from(j.at("axes")), std::move(bends)};
    return {fit::Mixture(std::move(s), std::move(parts)), j.at("acceptance")};
}

}  // namespace

std::string chain_text(const fit::Chain& c) {
    return nlohmann::json{{"iteration", c.iteration},
                          {"at", matrix_json(c.at)},
                          {"moving", matrix_json(c.moving)},
                          {"scale", matrix_json(c.scale)},
                          {"step", c.step},
                          {"averaged", std::vector<double>(c.averaged, c.averaged + 4)},
                          {"seen", c.seen},
                          {"mean", matrix_json(c.mean)},
                          {"squares", matrix_json(c.squares)},
                          {"here", c.here},
                          {"warm", c.warm},
                          {"proposal", proposal_json(c.proposal)},
                          {"draws", c.draws},
                          {"log_density", c.log_density},
                          {"evaluations", c.evaluations},
                          {"densities", c.densities},
                          {"proposed", c.proposed},
                          {"accepted", c.accepted},
                          {"divergences", c.divergences},
                          {"longest", c.longest},
                          {"depth", c.depth}}
        .dump();
}

fit::Chain chain_from(const std::string& text) {
    const auto j = nlohmann::json::parse(text);
    fit::Chain c;
    c.iteration = j.at("iteration");
    c.at = matrix_from(j.at("at"));
    c.moving = matrix_from(j.at("moving"));
    c.scale = matrix_from(j.at("scale"));
    c.step = j.at("step");
    const auto averaged = j.at("averaged").get<std::vector<double>>();
    std::copy_n(averaged.begin(), 4, c.averaged);
    c.seen = j.at("seen");
    c.mean = matrix_from(j.at("mean"));
    c.squares = matrix_from(j.at("squares"));
    c.here = j.at("here");
    c.warm = j.at("warm").get<std::vector<std::vector<double>>>();
    c.proposal = proposal_from(j.at("proposal"));
    c.draws = j.at("draws").get<std::vector<std::vector<double>>>();
    c.log_density = j.at("log_density").get<std::vector<double>>();
    c.evaluations = j.at("evaluations");
    c.densities = j.at("densities");
    c.proposed = j.at("proposed");
    c.accepted = j.at("accepted");
    c.divergences = j.at("divergences");
    c.longest = j.at("longest");
    c.depth = j.at("depth").get<std::vector<int>>();
    return c;
}

CalibrationStore::CalibrationStore(const std::string& path, const std::string& fingerprint) {
    const bool is_new = !std::filesystem::exists(path);
    const auto file = std::filesystem::absolute(path).string();
    connection_ = std::make_unique<Connection>(path, file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    const int found = is_new ? 0 : std::stoi("0" + connection_->one("PRAGMA application_id"));
    if (!is_new && found != calibration_application)
        throw core::BadInput(path, "is there and is no store of a calibration; give another name with --out");
    connection_->run("PRAGMA journal_mode=WAL");
    connection_->run("PRAGMA synchronous=NORMAL");
    Transaction begin(*connection_);
    connection_->run("PRAGMA application_id=" + std::to_string(calibration_application));
    connection_->run("CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT)");
    connection_->run("CREATE TABLE IF NOT EXISTS seconds (law TEXT PRIMARY KEY, value REAL)");
    connection_->run(
        "CREATE TABLE IF NOT EXISTS chain (law TEXT, number INTEGER, state TEXT, PRIMARY KEY (law, number))");
    Statement known(*connection_, "SELECT value FROM about WHERE key = 'fingerprint'");
    if (known.step()) {
        if (known.text(0) != fingerprint)
            throw core::BadInput(path,
                                 "holds chains of another calibration (data, priors or sampling differ); give "
                                 "another name with --out, or remove it");
    } else {
        Statement put(*connection_, "INSERT INTO about VALUES ('fingerprint', ?1)");
        put.bind(1, fingerprint).step();
    }
    known.reset();
    begin.commit();
}

CalibrationStore::~CalibrationStore() = default;

fit::ChainStore CalibrationStore::chains(const std::string& law) {
    return {[this, law](int number) -> std::optional<fit::Chain> {
                const std::lock_guard guard(lock_);
                Statement find(*connection_, "SELECT state FROM chain WHERE law = ?1 AND number = ?2");
                find.bind(1, law).bind(2, long(number));
                if (!find.step()) return std::nullopt;
                try {
                    return chain_from(find.text(0));
                } catch (const nlohmann::json::exception& error) {
                    throw core::BadInput(connection_->path(), std::string("is damaged; remove it: ") + error.what());
                }
            },
            [this, law](int number, const fit::Chain& chain) {
                const std::string text = chain_text(chain);
                const std::lock_guard guard(lock_);
                Statement put(*connection_, "INSERT OR REPLACE INTO chain VALUES (?1, ?2, ?3)");
                put.bind(1, law).bind(2, long(number)).bind(3, text).step();
            }};
}

double CalibrationStore::seconds(const std::string& law) {
    const std::lock_guard guard(lock_);
    Statement find(*connection_, "SELECT value FROM seconds WHERE law = ?1");
    find.bind(1, law);
    return find.step() ? find.real(0) : 0;
}

void CalibrationStore::add_seconds(const std::string& law, double seconds) {
    const double before = this->seconds(law);
    const std::lock_guard guard(lock_);
    Statement put(*connection_, "INSERT OR REPLACE INTO seconds VALUES (?1, ?2)");
    put.bind(1, law).bind(2, before + seconds).step();
}

}  // namespace faying::study
