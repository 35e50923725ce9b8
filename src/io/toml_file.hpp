#pragma once
// A TOML file whose every complaint names file and line.

#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>

#include "faying/core/error.hpp"
#include "faying/io/file.hpp"

namespace faying::io {

class TomlFile {
 public:
    explicit TomlFile(const std::string& path) : path_(path) {
        if (!std::filesystem::is_regular_file(path)) throw core::BadInput(path, "there is no such file");
        try {
            root_ = toml::parse_file(input(path));
        } catch (const toml::parse_error& error) {
            throw core::BadInput(fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
        }
    }

    const toml::table& root() const { return root_; }
    const std::string& path() const { return path_; }

    std::string place(const toml::node& at) const {
        return fmt::format("{}:{}", path_, std::max(1u, unsigned(at.source().begin.line)));
    }
    [[noreturn]] void complain(const toml::node& at, const std::string& what) const {
        throw core::BadInput(place(at), what);
    }

    /// Runs `body`; a complaint that does not yet name this file gets the place of `at`.
    template <class Body>
    auto at_place(const toml::node& at, Body&& body) const {
        try {
            return body();
        } catch (const core::BadInput& error) {
            const std::string text = error.what();
            if (text.rfind(path_, 0) == 0) throw;
            complain(at, text);
        }
    }

    void only_keys(const toml::table& table, std::initializer_list<std::string_view> allowed) const {
        for (const auto& [key, node] : table) {
            bool known = false;
            std::string list;
            for (const auto name : allowed) {
                known = known || key.str() == name;
                list += (list.empty() ? "" : ", ") + std::string(name);
            }
            if (!known) complain(node, fmt::format("unknown key '{}'; allowed are: {}", key.str(), list));
        }
    }

    const toml::node& required(const toml::table& table, std::string_view key) const {
        const auto* node = table.get(key);
        if (!node) complain(table, fmt::format("'{}' is missing", key));
        return *node;
    }

    std::string text(const toml::node& node, std::string_view what) const {
        const auto x = node.value<std::string>();
        if (!node.is_string() || !x) complain(node, fmt::format("{} must be a text in quotes", what));
        return *x;
    }

    double number(const toml::node& node, std::string_view what) const {
        const auto x = node.value<double>();
        if (!x || !std::isfinite(*x)) complain(node, fmt::format("{} must be a finite number", what));
        return *x;
    }

    int whole(const toml::node& node, std::string_view what, int least, int most = 1000000) const {
        const auto x = node.value<std::int64_t>();
        if (!node.is_integer() || !x || *x < least || *x > most)
            complain(node, fmt::format("{} must be a whole number from {} to {}", what, least, most));
        return int(*x);
    }
    /// Of a key that may be left out.
    int whole(const toml::table& table, std::string_view key, int fallback, int least, int most) const {
        const auto* node = table.get(key);
        return node ? whole(*node, key, least, most) : fallback;
    }

    Eigen::VectorXd vector(const toml::node& node, std::string_view what) const {
        const auto* list = node.as_array();
        if (!list) complain(node, fmt::format("{} must be a list of numbers", what));
        Eigen::VectorXd v(static_cast<Eigen::Index>(list->size()));
        for (std::size_t i = 0; i < list->size(); ++i) v(static_cast<Eigen::Index>(i)) = number((*list)[i], what);
        return v;
    }

    Eigen::MatrixXd matrix(const toml::node& node, std::string_view what) const {
        const auto* rows = node.as_array();
        if (!rows || rows->empty()) complain(node, fmt::format("{} must be a list of rows, [[..], ..]", what));
        Eigen::MatrixXd m;
        for (std::size_t i = 0; i < rows->size(); ++i) {
            const Eigen::VectorXd row = vector((*rows)[i], fmt::format("row {} of {}", i + 1, what));
            if (i == 0) m.resize(static_cast<Eigen::Index>(rows->size()), row.size());
            if (row.size() != m.cols())
                complain((*rows)[i], fmt::format("row {} of {} has {} numbers; the first has {}", i + 1, what,
                                                 row.size(), m.cols()));
            m.row(static_cast<Eigen::Index>(i)) = row;
        }
        return m;
    }

    /// The [[name]] tables, none when there is no such key.
    template <class Visit>
    void each_table(std::string_view name, Visit&& visit) const {
        const auto* node = root_.get(name);
        if (!node) return;
        const auto* list = node->as_array();
        if (!list || !list->is_array_of_tables())
            complain(*node, fmt::format("{0}s are written as [[{0}]] tables", name));
        for (const auto& entry : *list) visit(*entry.as_table());
    }

 private:
    std::string path_;
    toml::table root_;
};

}  // namespace faying::io
