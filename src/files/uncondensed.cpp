#include "faying/files/uncondensed.hpp"

#include <fmt/format.h>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/io/file.hpp"
#include "model_on_pairs.hpp"
#include "uncondensed_format.hpp"

namespace faying::files {

using structure::Uncondensed;

namespace {

Eigen::VectorXd counts(const std::vector<structure::ContactPair>& pairs) {
    Eigen::VectorXd all(Eigen::Index(pairs.size()));
    for (std::size_t k = 0; k < pairs.size(); ++k) all(Eigen::Index(k)) = double(pairs[k].sites.weight.size());
    return all;
}

/// Values of all sites of all pairs, one pair after the other.
template <class Value>
Eigen::VectorXd joined(const std::vector<structure::ContactPair>& pairs, Value value) {
    Eigen::VectorXd all(Eigen::Index(counts(pairs).sum()));
    Eigen::Index at = 0;
    for (const auto& pair : pairs) {
        const Eigen::VectorXd here = value(pair);
        all.segment(at, here.size()) = here;
        at += here.size();
    }
    return all;
}

archive::Archive archive_of(const Uncondensed& s) {
    archive::Archive group;
    std::vector<std::string> names;
    const auto count = Eigen::Index(s.pairs.size());
    Eigen::VectorXd penalty(count), friction(count), rows(count);
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<double> row;
    int site = 0;
    for (std::size_t k = 0; k < s.pairs.size(); ++k) {
        const auto& pair = s.pairs[k];
        const auto& interpolation = pair.sites.interpolation;
        names.push_back(pair.name);
        penalty(Eigen::Index(k)) = pair.penalty;
        friction(Eigen::Index(k)) = pair.friction.value_or(-1);  // negative: none is named
        rows(Eigen::Index(k)) = double(s.rows[k].size());
        for (Eigen::Index j = 0; j < interpolation.outerSize(); ++j)
            for (Eigen::SparseMatrix<double>::InnerIterator it(interpolation, j); it; ++it)
                entries.emplace_back(site + int(it.row()), int(row.size()) + int(j), it.value());
        row.insert(row.end(), s.rows[k].begin(), s.rows[k].end());
        site += int(interpolation.rows());
    }
    Eigen::SparseMatrix<double> all(site, Eigen::Index(row.size()));
    all.setFromTriplets(entries.begin(), entries.end());
    group.set("name", names);
    group.set("penalty", penalty, "N/m3");
    group.set("friction", friction);
    group.set("sites", counts(s.pairs));
    group.set("rows", rows);
    group.set("row", Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(row.data(), Eigen::Index(row.size()))));
    group.set("interpolation", all);
    group.set("weight", joined(s.pairs, [](const auto& p) { return p.sites.weight; }), "m2");
    group.set("gap", joined(s.pairs, [](const auto& p) { return p.gap; }), "m");
    Eigen::MatrixXd points(site / 3, 3);
    for (int axis = 0; axis < 3; ++axis)
        points.col(axis) = joined(s.pairs, [axis](const auto& p) { return Eigen::VectorXd(p.sites.points.col(axis)); });
    group.set("points", points, "m");
    return group;
}

void read_pairs(const archive::Archive& file, Uncondensed& s) {
    const auto names = file.texts("pairs.name");
    const Eigen::VectorXd penalty = file.vector("pairs.penalty"), friction = file.vector("pairs.friction"),
                          sites = file.vector("pairs.sites"), rows = file.vector("pairs.rows"),
                          row = file.vector("pairs.row"), weight = file.vector("pairs.weight"),
                          gap = file.vector("pairs.gap");
    const Eigen::MatrixXd points = file.matrix("pairs.points");
    const Eigen::SparseMatrix<double> all = file.sparse("pairs.interpolation");
    const auto count = Eigen::Index(names.size());
    const auto n = weight.size();
    if (penalty.size() != count || friction.size() != count || sites.size() != count || rows.size() != count ||
        gap.size() != n || points.rows() != n || points.cols() != 3 || all.rows() != 3 * n ||
        all.cols() != row.size() || sites.sum() != double(n) || rows.sum() != double(row.size()) ||
        (count > 0 && (sites.minCoeff() < 1 || rows.minCoeff() < 1)))
        throw core::BadInput(file.source(), "the sizes of its 'pairs' do not fit each other");
    Eigen::Index site = 0, at = 0;
    for (Eigen::Index k = 0; k < count; ++k) {
        const auto here = Eigen::Index(sites(k)), columns = Eigen::Index(rows(k));
        structure::ContactPair pair;
        pair.name = names[std::size_t(k)];
        pair.penalty = penalty(k);
        if (friction(k) >= 0) pair.friction = friction(k);
        pair.gap = gap.segment(site, here);
        pair.sites.weight = weight.segment(site, here);
        pair.sites.points = points.middleRows(site, here);
        pair.sites.element.assign(std::size_t(here), 0);
        pair.sites.map.resize(3 * here, 0);
        std::vector<Eigen::Triplet<double>> entries;
        for (Eigen::Index j = at; j < at + columns; ++j)
            for (Eigen::SparseMatrix<double>::InnerIterator it(all, j); it; ++it) {
                if (it.row() < 3 * site || it.row() >= 3 * (site + here))
                    throw core::BadInput(file.source(), "a site of a pair reads what is another pair's");
                entries.emplace_back(int(it.row() - 3 * site), int(j - at), it.value());
            }
        pair.sites.interpolation.resize(3 * here, columns);
        pair.sites.interpolation.setFromTriplets(entries.begin(), entries.end());
        s.pairs.push_back(std::move(pair));
        s.rows.emplace_back();
        for (Eigen::Index j = at; j < at + columns; ++j) s.rows.back().push_back(int(row(j)));
        site += here;
        at += columns;
    }
}

}  // namespace

bool is_uncondensed(const archive::Archive& file) {
    return file.has("format") && file.text("format") == uncondensed_format;
}

Uncondensed uncondensed_of(const archive::Archive& file) {
    Uncondensed s;
    s.stiffness = file.sparse("K");
    read_pairs(file, s);
    const auto read = [&](const char* group, const char* vectors, const auto& add) {
        if (!file.has(group)) return;
        const auto names = file.texts(std::string(group) + ".name");
        const Eigen::SparseMatrix<double> all = file.sparse(std::string(group) + "." + vectors);
        if (all.cols() != Eigen::Index(names.size()) || all.rows() != s.stiffness.rows())
            throw core::BadInput(file.source(), fmt::format("the sizes of its '{}' do not fit K", group));
        for (std::size_t k = 0; k < names.size(); ++k) add(names[k], Eigen::VectorXd(all.col(Eigen::Index(k))));
    };
    read("loads", "vectors", [&](const auto& name, Eigen::VectorXd v) { s.loads.emplace_back(name, std::move(v)); });
    read("outputs", "rows", [&](const auto& name, Eigen::VectorXd v) { s.outputs.push_back({name, std::move(v)}); });
    if (file.has("provenance"))
        for (const auto& key : file.group("provenance").names()) s.provenance[key] = file.text("provenance." + key);
    structure::check_uncondensed(s, file.source());
    return s;
}

void write_uncondensed(const std::string& path, const Uncondensed& s) {
    structure::check_uncondensed(s, path);
    archive::Archive file;
    file.set("format", uncondensed_format);
    file.set("K", s.stiffness, "N/m");
    file.set("pairs", archive_of(s));
    const auto put = [&](const char* group, const char* vectors, const auto& list, const auto& name,
                         const auto& vector) {
        if (list.empty()) return;
        archive::Archive all;
        std::vector<std::string> names;
        Eigen::SparseMatrix<double> columns(s.stiffness.rows(), Eigen::Index(list.size()));
        std::vector<Eigen::Triplet<double>> entries;
        for (const auto& item : list) {
            const Eigen::VectorXd& v = vector(item);
            for (Eigen::Index i = 0; i < v.size(); ++i)
                if (v(i) != 0) entries.emplace_back(int(i), int(names.size()), v(i));
            names.push_back(name(item));
        }
        columns.setFromTriplets(entries.begin(), entries.end());
        all.set("name", names);
        all.set(vectors, columns);
        file.set(group, all);
    };
    put(
        "loads", "vectors", s.loads, [](const auto& l) { return l.first; },
        [](const auto& l) -> const Eigen::VectorXd& { return l.second; });
    put(
        "outputs", "rows", s.outputs, [](const auto& o) { return o.name; },
        [](const auto& o) -> const Eigen::VectorXd& { return o.row; });
    archive::Archive provenance;
    for (const auto& [key, value] : s.provenance) provenance.set(key, value);
    if (!s.provenance.empty()) file.set("provenance", provenance);
    archive::write_archive(path, file);
}

SlowStructure read_slow_structure(const std::string& path,
                                  const std::function<std::unique_ptr<modes::SparseFactor>(bool symmetric)>& factor) {
    std::optional<Uncondensed> found;
    auto [model, pairs] = read_model_on_pairs(path, [&](const std::string& file) {
        const archive::Archive archive = archive::read_archive(io::input(file));
        if (!is_uncondensed(archive)) return reduced_of(archive);
        found = uncondensed_of(archive);
        return structure::without_coordinates(*found);
    });
    if (!found) return {std::move(model), {}};
    modes::SparseStructure sparse{{}, std::move(found->stiffness), {}, factor};
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::Index row = 0;
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const auto& local = model.joints[j].local;
        const auto& columns = found->rows[pairs[j]];
        for (Eigen::Index c = 0; c < local.outerSize(); ++c)
            for (Eigen::SparseMatrix<double>::InnerIterator it(local, c); it; ++it)
                entries.emplace_back(int(row + it.row()), columns[std::size_t(c)], it.value());
        row += local.rows();
    }
    sparse.sites.resize(row, sparse.stiffness.rows());
    sparse.sites.setFromTriplets(entries.begin(), entries.end());
    sparse.model = model;
    return {std::move(model), std::move(sparse)};
}

}  // namespace faying::files
