#include "faying/network/network_file.hpp"

#include <fmt/ranges.h>

#include "faying/archive/archive.hpp"
#include "faying/files/model.hpp"
#include "faying/network/generators.hpp"
#include "faying/network/joint_network.hpp"
#include "io/toml_file.hpp"

namespace faying::network {

namespace {

class NetworkReader {
 public:
    explicit NetworkReader(const std::string& path) : file_(path) {}

    Network network() {
        file_.only_keys(file_.root(), {"network"});
        const auto* given = file_.root().get("network");
        if (!given)
            file_.reject(file_.root(), "a [network] table with file, generator, model, or K, mu and b is needed");
        table_ = given->as_table();
        if (!table_) file_.wrong_kind(*given, "network", "a table with file, generator, or K, mu and b");
        const int ways = has("file") + has("generator") + has("K") + has("model");
        if (ways != 1)
            file_.reject(*table_, "exactly one of file, generator, K and model says where the network comes from");
        if (has("model")) return from_model();
        Network net = has("file") ? from_file() : has("generator") ? generated() : written_out();
        if (has("may_slide")) net.may_slide = file_.flag(*table_, "may_slide", false);
        file_.at_place(*table_, [&] { check_network(net, file_.place(*table_)); });
        if (has("through")) {
            const auto& node = *table_->get("through");
            if (!net.by_force()) file_.reject(node, "a network that is driven by displacement needs no spring more");
            const double k = file_.number(node, "through");
            net = file_.at_place(node, [&] { return through_spring(net, k); });
        }
        return net;
    }

 private:
    io::TomlFile file_;
    const toml::table* table_ = nullptr;

    bool has(std::string_view key) const { return table_->contains(key); }

    laws::Drive drive(bool displacement_by_default) const {
        const std::string name = file_.text(*table_, "drive", displacement_by_default ? "displacement" : "force");
        if (name == "force") return laws::Drive::force;
        if (name == "displacement") return laws::Drive::displacement;
        file_.reject(*table_->get("drive"), fmt::format("unknown drive '{}'; allowed are: force, displacement", name));
    }

    /// One number per slider: a vector, or the diagonal of a matrix.
    static Eigen::VectorXd diagonal_or_vector(const archive::Archive& archive, const std::string& name) {
        const Eigen::MatrixXd m = archive.matrix(name);
        if (m.rows() == m.cols() && m.rows() > 1) {
            Eigen::MatrixXd rest = m;
            rest.diagonal().setZero();
            if (!rest.isZero(0.0))
                throw core::BadInput(archive.source(),
                                     fmt::format("'{}' is a matrix that is not diagonal; a friction force per slider "
                                                 "is needed",
                                                 name));
            return m.diagonal();
        }
        return archive.vector(name);
    }

    Network from_file() {
        file_.only_keys(*table_, {"file", "names", "drive", "k0", "through", "may_slide"});
        const auto& node = *table_->get("file");
        const std::string name = beside(file_.text(node, "file"));
        std::map<std::string, std::string> names{{"K", "K"}, {"mu", "mu"}, {"b", "b"}, {"g", "g"}, {"k0", "k0"}};
        if (const auto* other = table_->get("names")) {
            const auto* table = other->as_table();
            if (!table) file_.wrong_kind(*other, "names", "a table such as { K = \"stiffness\" }");
            file_.only_keys(*table, {"K", "mu", "b", "g", "k0"});
            for (const auto& [key, value] : *table) names[std::string(key.str())] = file_.text(value, key.str());
        }
        return file_.at_place(node, [&] {
            if (!archive::is_archive(name)) throw core::BadInput(name, "a network is read from a .mat or .h5 file");
            const auto archive = archive::read_archive(name);
            Network net;
            net.stiffness = archive.matrix(names["K"]);
            net.friction = diagonal_or_vector(archive, names["mu"]);
            net.drive = drive(archive.has(names["g"]) && !archive.has(names["b"]));
            const bool g = !net.by_force() && archive.has(names["g"]);
            net.coupling = archive.vector(g ? names["g"] : names["b"]);
            if (!net.by_force())
                net.held = has("k0")                  ? file_.number(*table_->get("k0"), "k0")
                           : archive.has(names["k0"]) ? archive.number(names["k0"])
                                                      : net.coupling.sum();
            return net;
        });
    }

    /// Driven by the displacement conjugate to the load, or by the load itself.
    Network from_model() {
        file_.only_keys(*table_, {"model", "mode", "output", "dof", "along", "drive"});
        const auto& node = *table_->get("model");
        NetworkLoad load;
        if (has("mode")) load.mode = file_.whole(*table_->get("mode"), "mode", 1, 1000000);
        if (has("output")) load.output = file_.text(*table_->get("output"), "output");
        if (has("dof")) load.dof = file_.whole(*table_->get("dof"), "dof", 1, 1000000);
        const std::string along = file_.text(*table_, "along", "both");
        const std::map<std::string, Tangents> all{
            {"both", Tangents::both}, {"t1", Tangents::first}, {"t2", Tangents::second}};
        if (!all.contains(along))
            file_.reject(*table_->get("along"), fmt::format("unknown '{}'; allowed are: both, t1, t2", along));
        load.along = all.at(along);
        const auto wanted = drive(true);
        return file_.at_place(node, [&] {
            const auto made = network_of_joints(files::read_model(beside(file_.text(node, "model"))), load);
            check_network(made.network, file_.place(node));
            return wanted == laws::Drive::force ? made.network : through_spring(made.network, made.spring);
        });
    }

    std::string beside(const std::string& name) const {
        const std::filesystem::path path = name;
        return path.is_relative() ? (std::filesystem::path(file_.path()).parent_path() / path).string() : name;
    }

    Network written_out() {
        file_.only_keys(*table_, {"K", "mu", "b", "g", "drive", "k0", "through", "may_slide"});
        if (has("b") == has("g")) file_.reject(*table_, "b (driven by force) or g (by displacement) is needed");
        Network net;
        net.stiffness = file_.matrix(*table_->get("K"), "K");
        net.friction = file_.vector(file_.required(*table_, "mu"), "mu");
        net.drive = drive(has("g"));
        net.coupling = has("g") ? file_.vector(*table_->get("g"), "g") : file_.vector(*table_->get("b"), "b");
        if (has("g") && net.by_force()) file_.reject(*table_, "g is for a network driven by displacement");
        if (!net.by_force()) net.held = has("k0") ? file_.number(*table_->get("k0"), "k0") : net.coupling.sum();
        return net;
    }

    Network generated() {
        file_.only_keys(*table_, {"generator", "size", "seed", "mu0", "drive", "through", "may_slide"});
        const auto& node = *table_->get("generator");
        const std::string name = file_.text(node, "generator");
        constexpr std::array known{"random", "parallel", "chain", "mesh"};
        if (std::find(known.begin(), known.end(), name) == known.end())
            file_.reject(node, fmt::format("unknown generator '{}'; allowed are: {}", name, fmt::join(known, ", ")));
        const int size = file_.whole(file_.required(*table_, "size"), "size", 1, 20000);
        const auto only_for = [&](const char* key, std::initializer_list<std::string_view> those) {
            if (has(key) && std::find(those.begin(), those.end(), name) == those.end())
                file_.reject(*table_->get(key), fmt::format("'{}' means nothing to generator '{}'", key, name));
        };
        only_for("seed", {"random", "mesh"});
        only_for("mu0", {"parallel"});
        Network net;
        if (name == "random")
            net = random_network(size, seed());
        else if (name == "parallel")
            net = parallel_network(size, has("mu0") ? file_.number(*table_->get("mu0"), "mu0") : 1.0 / size);
        else if (name == "chain")
            net = chain_network(size);
        else
            net = mesh_network(size, seed());
        const auto wanted = drive(!net.by_force());
        if (wanted != net.drive)
            file_.reject(*table_->get("drive"), fmt::format("generator '{}' is driven by {}", name,
                                                            net.by_force() ? "force" : "displacement"));
        return net;
    }

    std::uint64_t seed() const {
        return std::uint64_t(file_.whole(file_.required(*table_, "seed"), "seed", 0, 2147483647));
    }
};

}  // namespace

Network read_network(const std::string& path) { return NetworkReader(path).network(); }

void write_network(const std::string& path, const Network& network) {
    archive::Archive archive;
    archive.set("K", network.stiffness);
    archive.set("mu", network.friction);
    archive.set(network.by_force() ? "b" : "g", network.coupling);
    if (!network.by_force()) archive.set("k0", network.held);
    archive::write_archive(path, archive);
}

}  // namespace faying::network
