#pragma once
// Bodies as columns on a plan: cells are a quadrilateral of the plan between two neighbouring levels of z.
//
//     Columns columns(plan, {-0.01, 0, 0.01}, "C3D8");
//     columns.body("BOTTOM", {{quads, 0, 1}});               // those quadrilaterals from level 0 to level 1
//     columns.surface("BOTTOM_FACE", "BOTTOM", 1, Side::top, quads);
//     write_file("deck.inp", columns.text());

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "plan.hpp"

namespace faying::fe {

using QuadFilter = std::function<bool(const PlanQuad&)>;

/// The quadrilaterals that `where` picks, from one level to another.
struct Column {
    QuadFilter where;
    int from = 0, to = 0;  ///< levels
};

enum class Side { bottom, top };

class Columns {
 public:
    /// `element` is the Abaqus type: C3D8, C3D8R, C3D8I, C3D20, C3D20R, or C3D4, C3D10 (each cell cut into six).
    Columns(Plan plan, std::vector<double> levels, std::string element);

    static bool second_order_plan(const std::string& element);  ///< and BadInput for a type that is not allowed

    void body(const std::string& name, const std::vector<Column>& columns);
    /// Faces of a body at a level, on the given side of their elements.
    void surface(const std::string& name, const std::string& body, int level, Side side, const QuadFilter& where);
    /// Faces of a body all of whose nodes are where `on` says: walls of holes, shanks.
    void surface(const std::string& name, const std::string& body,
                 const std::function<bool(const Eigen::Vector3d&)>& on);
    void node_set(const std::string& name, const std::vector<int>& labels);
    void tie(const std::string& name, const std::string& slave, const std::string& master);
    void comment(const std::string& text);
    void line(const std::string& text);  ///< as it stands

    int level_at(double z) const;
    const std::vector<double>& levels() const { return levels_; }
    /// Label of the node of a body at the point of the plan nearest to (x, y), at a level.
    int node_at(const std::string& body, double x, double y, int level) const;
    /// Labels of a body's nodes at a level, by node of the plan.
    std::map<int, int> nodes_at(const std::string& body, int level) const;
    const Plan& plan() const { return plan_; }

    /// Nodes and elements first, then all the rest in the order it came.
    std::string text(const std::string& heading) const;
    int node_count() const { return int(points_.size()); }
    int element_count() const { return int(connectivity_.size()); }

 private:
    using Key = std::pair<int, int>;  ///< twice the level (odd: between), node of the plan
    struct Cell {
        int quad, layer;
        std::vector<int> elements;
    };
    struct Body {
        std::map<Key, int> labels;
        std::map<std::pair<Key, Key>, int> middles;  ///< of edges, for C3D10
        std::vector<Cell> cells;
    };

    Plan plan_;
    std::vector<double> levels_;
    std::string element_;
    std::map<std::string, Body> bodies_;
    std::vector<Eigen::Vector3d> points_;         ///< of label 1, 2, ..
    std::vector<std::vector<int>> connectivity_;  ///< of element 1, 2, ..
    std::string elements_text_, rest_;

    Eigen::Vector3d place(const Key& key) const;
    std::string faces_on(const Cell& cell, const std::function<bool(const Eigen::Vector3d&)>& on) const;
    int node(Body& body, const Key& key);
    int middle(Body& body, const Key& a, const Key& b);
    void hexahedron(Body& body, Cell& cell);
    void tetrahedra(Body& body, Cell& cell);
    int add_element(const std::vector<int>& nodes);
};

}  // namespace faying::fe
