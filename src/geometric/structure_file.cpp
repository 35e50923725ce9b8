#include "faying/geometric/structure_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/deck_writer.hpp"
#include "faying/files/model.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/file.hpp"
#include "io/toml_file.hpp"

namespace faying::geometric {

namespace {

std::string beside(const std::string& file, const std::string& name) {
    const std::filesystem::path path(name);
    return path.is_absolute() ? name : (std::filesystem::path(file).parent_path() / path).string();
}

double positive(const io::TomlFile& file, const toml::table& table, const char* key) {
    const auto& node = file.required(table, key);
    const double x = file.number(node, key);
    if (!(x > 0)) file.reject(node, fmt::format("{} must be positive", key));
    return x;
}

Eigen::Vector3d direction_of(const io::TomlFile& file, const toml::node& node, const char* what) {
    const VectorXd v = file.vector(node, what);
    if (v.size() < 2 || v.size() > 3) file.reject(node, fmt::format("{} must have two or three numbers", what));
    Eigen::Vector3d d = Eigen::Vector3d::Zero();
    d.head(v.size()) = v;
    return d;
}

/// Two ways to say one thing.
void only_one_of(const io::TomlFile& file, const toml::table& table, const char* a, const char* b) {
    if (table.contains(a) && table.contains(b))
        file.reject(*table.get(b), fmt::format("give either {} or {}, not both", a, b));
}

Eigen::Vector3d normal_of(const io::TomlFile& file, const toml::table& table) {
    only_one_of(file, table, "normal", "slope");
    if (const auto* slope = table.get("slope")) {
        const double angle = file.number(*slope, "slope") * std::numbers::pi / 180;
        return {-std::sin(angle), std::cos(angle), 0};
    }
    const auto& node = file.required(table, "normal");
    const Eigen::Vector3d n = direction_of(file, node, "normal");
    if (!(n.norm() > 0)) file.reject(node, "the normal has no length");
    return n.normalized();
}

/// Area of each node of a list.
std::vector<double> areas_of(const io::TomlFile& file, const toml::table& table, const fe::Deck& deck,
                             const std::vector<fe::Index>& nodes) {
    only_one_of(file, table, "area", "areas");
    if (table.get("area")) return std::vector<double>(nodes.size(), positive(file, table, "area"));
    const auto& node = file.required(table, "areas");
    const auto* about = node.as_table();
    if (!about) file.wrong_kind(node, "areas", "a table { file = .., node = .., area = .. }");
    file.only_keys(*about, {"file", "node", "area"});
    const std::string path = beside(file.path(), file.text(file.required(*about, "file"), "file"));
    const io::Table csv = io::read_csv(io::input(path));
    const auto column = [&](const char* key, int fallback) -> const std::vector<double>& {
        const int c = file.whole(*about, key, fallback, 1, 1000);
        if (c > static_cast<int>(csv.columns.size()))
            file.reject(*about, fmt::format("{} = {}: '{}' has {} columns", key, c, path, csv.columns.size()));
        return csv.columns[static_cast<std::size_t>(c) - 1];
    };
    const auto &labels = column("node", 1), &areas = column("area", 2);
    std::vector<double> found;
    for (const auto n : nodes) {
        const double label = deck.nodes[static_cast<std::size_t>(n)].label;
        const auto at = std::find(labels.begin(), labels.end(), label);
        if (at == labels.end())
            throw core::BadInput(path, fmt::format("has no area of node {}", fe::node_name(deck, n)));
        const double area = areas[static_cast<std::size_t>(at - labels.begin())];
        if (!(area > 0)) throw core::BadInput(path, fmt::format("the area of node {} is not positive", label));
        found.push_back(area);
    }
    return found;
}

/// Where contact may act: known, or to be found from where the surfaces have moved.
struct Contacts {
    std::vector<ContactSite> ground;
    std::vector<std::pair<fe::PairOptions, ContactProperties>> pairs;

    std::vector<ContactSite> sites(const fe::Deck& deck, const Solid& solid, const VectorXd& u) const {
        auto all = ground;
        for (const auto& [pair, properties] : pairs) {
            const auto more = between(solid, deck, pair, properties, u);
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }
};

ContactProperties properties_of(const io::TomlFile& file, const toml::table& table) {
    const auto& mu = file.required(table, "mu");
    const ContactProperties made{positive(file, table, "kn"), positive(file, table, "kt"), file.number(mu, "mu")};
    if (made.friction < 0) file.reject(mu, "mu must not be negative");
    return made;
}

/// kn of a deck's *SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR; a hard contact has none.
std::optional<double> linear_stiffness(const fe::Deck& deck, const fe::SurfaceInteraction& interaction) {
    for (const auto& other : interaction.others) {
        const auto* kind = other.find("PRESSURE-OVERCLOSURE");
        if (other.name != "SURFACEBEHAVIOR" || !kind || fe::folded(*kind) != "LINEAR" || other.lines.empty()) continue;
        const double kn = core::parse_number(other.lines[0].substr(0, other.lines[0].find(',')), deck.where(other.at));
        if (!(kn > 0)) throw core::BadInput(deck.where(other.at), "the contact stiffness must be positive");
        return kn;
    }
    return {};
}

/// The deck's *CONTACT PAIR lines. A penalty ten times as stiff as the elements that meet stands for hard contact.
Contacts contacts_of(const fe::Deck& deck, const Solid& solid) {
    Contacts made;
    const auto pairs = fe::pairs_in(deck);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto found = deck.interactions.find(deck.contact_pairs[i].interaction);
        auto kn = found == fe::none ? std::nullopt : linear_stiffness(deck, deck.interactions[found]);
        if (!kn) {
            const VectorXd zero = VectorXd::Zero(solid.size());
            const VectorXd diagonal = solid.tangent(zero).diagonal();
            double stiffness = 0, area = 0;
            for (const auto& site : between(solid, deck, pairs[i], {1, 1, 0}, zero))
                for (const auto& term : site.motion) {
                    stiffness += std::pow(term.columns.dot(site.normal), 2) * diagonal(term.row) * site.area;
                    area += site.area * site.area;
                }
            kn = 10 * stiffness / area;
        }
        made.pairs.push_back({pairs[i], {*kn, *kn, pairs[i].friction.value_or(0)}});
    }
    return made;
}

Contacts contacts_of(const io::TomlFile& file, const fe::Deck& deck, const Solid& solid) {
    if (!file.root().contains("contact")) {
        if (!deck.contact_pairs.empty()) return contacts_of(deck, solid);
        throw core::BadInput(file.path(),
                             "has no [[contact]], and its deck no *CONTACT PAIR; a "
                             "deck without contact is "
                             "given as it is: DECK.inp");
    }
    Contacts made;
    file.each_table("contact", [&](const toml::table& table) {
        only_one_of(file, table, "nodes", "first");
        if (table.contains("first")) {
            file.only_keys(table, {"first", "second", "within", "gap", "kn", "kt", "mu"});
            fe::PairOptions pair;
            pair.first = pair.name = file.text(file.required(table, "first"), "first");
            pair.second = file.text(file.required(table, "second"), "second");
            if (table.contains("within")) pair.within = positive(file, table, "within");
            if (const auto* gap = table.get("gap")) pair.gap = file.number(*gap, "gap");
            made.pairs.push_back({pair, properties_of(file, table)});
            return;
        }
        file.only_keys(table, {"nodes", "areas", "area", "point", "normal", "slope", "kn", "kt", "mu"});
        const auto& name = file.required(table, "nodes");
        const auto set = deck.node_sets.find(file.text(name, "nodes"));
        if (set == fe::none) file.reject(name, fmt::format("the deck has no node set '{}'", file.text(name, "nodes")));
        const auto& nodes = deck.node_sets[set].nodes;
        const auto areas = areas_of(file, table, deck, nodes);
        const auto normal = normal_of(file, table);
        const auto point = direction_of(file, file.required(table, "point"), "point");
        const auto properties = properties_of(file, table);
        for (std::size_t i = 0; i < nodes.size(); ++i)
            made.ground.push_back(on_ground(solid, nodes[i], deck.nodes[static_cast<std::size_t>(nodes[i])].point,
                                            point, normal, areas[i], properties));
    });
    return made;
}

/// Supports of the deck's static steps that its last step no longer has.
std::vector<Index> released_rows(const fe::Deck& deck, const Solid& solid) {
    std::vector<Index> rows;
    for (std::size_t s = deck.steps.size(); s-- > 0;) {
        if (deck.steps[s].procedure != "STATIC" || deck.steps[s].perturbation) continue;
        for (const auto& support : fe::boundaries_in_step(deck, static_cast<fe::Index>(s)))
            for (const auto node : fe::nodes_of(deck, support.target))
                for (int d = 1; d <= 3; ++d)
                    if (support.dofs.has(d))
                        if (const Index row = solid.row(node, d); row >= 0) rows.push_back(row);
        break;
    }
    return rows;
}

std::vector<Index> held_rows(const io::TomlFile& file, const toml::table& preload, const fe::Deck& deck,
                             const Solid& solid) {
    const auto* node = preload.get("hold");
    if (!node) return released_rows(deck, solid);
    std::vector<Index> rows;
    const MatrixXd list = file.matrix(*node, "hold");
    if (list.cols() != 2) file.reject(*node, "hold is a list of [node, direction]");
    for (Index i = 0; i < list.rows(); ++i) {
        const double label = list(i, 0), direction = list(i, 1);
        if (!(label >= 1 && label <= 1e9 && label == std::floor(label)))
            file.reject(*node, fmt::format("{} is no label of a node", label));
        if (direction != 1 && direction != 2 && direction != 3)
            file.reject(*node, fmt::format("{} is no direction; allowed are 1, 2 and 3", direction));
        const auto found = fe::find_node(deck, static_cast<fe::Index>(list(i, 0)));
        const Index row = found == fe::none ? -1 : solid.row(found, static_cast<int>(list(i, 1)));
        if (row < 0) file.reject(*node, fmt::format("direction {} of node {} is not free", list(i, 1), list(i, 0)));
        rows.push_back(row);
    }
    return rows;
}

/// The seat: without friction and, `increments` given, with it. Surfaces that turn as they are pressed on one another are paired again where they have come to, until that changes nothing.
void seat(Opened& it, const Contacts& contacts, const std::vector<Index>& held, int increments) {
    auto& report = it.preload;
    const VectorXd& load = it.solid->load();
    VectorXd from = VectorXd::Zero(it.solid->size());
    constexpr int most_passes = 8;
    constexpr double settled = 1e-9;
    for (report.passes = 1;; ++report.passes) {
        it.touching = std::make_unique<ContactSolid>(*it.solid, contacts.sites(*it.deck, *it.solid, from));
        it.rest = it.touching->preload(load, held, report.passes > 1 ? from : VectorXd());
        const double change = (it.rest.u - from).cwiseAbs().maxCoeff() / it.rest.u.cwiseAbs().maxCoeff();
        from = it.rest.u;
        if (contacts.pairs.empty() || !(change > settled) || report.passes == most_passes) break;
    }
    if (increments > 0) {
        // With friction active the seat depends on the increments: done again with twice as many, the change reported.
        report.friction = true;
        report.increments = increments;
        const Rest coarse = it.touching->preload_with_friction(load, held, increments);
        it.rest = it.touching->preload_with_friction(load, held, 2 * increments);
        report.change = (it.rest.u - coarse.u).cwiseAbs().maxCoeff() / it.rest.u.cwiseAbs().maxCoeff();
    }
    report.closed = it.touching->closed(it.rest.u);
    report.normal_sum = it.touching->normal_sum(it.rest.u);
    it.touching->set(ContactSolid::Kind::tied, it.rest.u);
    it.rest.load = it.touching->force(it.rest.u);  // what the springs that held it carried is not missing
}

Opened touching_structure(const io::TomlFile& file, const toml::table& structure, const fe::ModelOptions& options) {
    file.only_keys(file.root(), {"structure", "preload", "contact"});
    file.only_keys(structure, {"deck", "damping"});
    Opened it;
    const std::string path = beside(file.path(), file.text(file.required(structure, "deck"), "deck"));
    it.deck = std::make_unique<fe::Deck>(fe::read_deck(io::input(path)));
    it.solid = std::make_unique<Solid>(*it.deck, options);
    const auto contacts = contacts_of(file, *it.deck, *it.solid);
    if (const auto* damping = structure.get("damping")) {
        const auto* table = damping->as_table();
        if (!table || !table->get("ratio")) file.wrong_kind(*damping, "damping", "{ ratio = .. }");
        file.only_keys(*table, {"ratio"});
        it.damping_ratio = file.number(*table->get("ratio"), "ratio");
        if (!(it.damping_ratio >= 0 && it.damping_ratio < 1))
            file.reject(*damping, fmt::format("damping ratio {} is not in [0, 1)", it.damping_ratio));
    }
    const toml::table nothing;
    const auto* node = file.root().get("preload");
    if (node && !node->is_table()) file.wrong_kind(*node, "preload", "a table");
    const toml::table& preload = node ? *node->as_table() : nothing;
    file.only_keys(preload, {"hold", "friction", "increments"});
    const auto held = held_rows(file, preload, *it.deck, *it.solid);
    const bool friction = file.flag(preload, "friction", false);
    seat(it, contacts, held, friction ? file.whole(preload, "increments", 10, 1, 100000) : 0);
    return it;
}

}  // namespace

System& Opened::stuck() {
    if (joints_stuck) return *joints_stuck;
    if (!touching) return *solid;
    touching->set(ContactSolid::Kind::tied, rest.u);
    return *touching;
}

System& Opened::slipping() {
    if (joints_slipping) return *joints_slipping;
    if (!touching) throw core::BadInput("structure", "has no joints or contact that slip: its modes are conservative");
    touching->set(ContactSolid::Kind::friction, rest.u);
    return *touching;
}

Opened open_structure(const std::string& path, const fe::ModelOptions& options) {
    Opened it;
    if (is_deck(path)) {
        it.deck = std::make_unique<fe::Deck>(fe::read_deck(path));
        it.solid = std::make_unique<Solid>(*it.deck, options);
        if (it.deck->contact_pairs.empty())
            it.rest = at_rest(*it.solid, it.solid->load());
        else
            seat(it, contacts_of(*it.deck, *it.solid), released_rows(*it.deck, *it.solid), 0);
        return it;
    }
    {
        const io::TomlFile file(path);
        const auto* structure = file.root().get("structure");
        if (structure && structure->is_table() && structure->as_table()->get("deck"))
            return touching_structure(file, *structure->as_table(), options);
    }
    const auto model = files::read_model(path);
    if (!options.elements.empty()) throw core::BadInput(path, "is no deck; --element is a choice about a deck");
    it.joints_stuck = std::make_unique<JointSystem>(model, JointSystem::Friction::stuck);
    if (it.joints_stuck->has_friction())
        it.joints_slipping = std::make_unique<JointSystem>(model, JointSystem::Friction::slipping);
    it.rest.u = VectorXd::Zero(model.size());
    it.rest.load = VectorXd::Zero(model.size());
    it.damping_ratio = model.damping_ratio;
    return it;
}

}  // namespace faying::geometric
