#pragma once
// Fronts: which points no other dominates, how much of a box they leave undominated, and which point to choose.
// x dominates y when it is nowhere greater and somewhere smaller; everything is to be minimised.
//
//     const auto keep = fit::front_of(points);                       // indices, by the first objective
//     const double e = fit::model_form_error(points, fit::published_box(1));

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "faying/fit/errors.hpp"

namespace faying::fit {

using Point = std::vector<double>;

bool dominates(const Point& x, const Point& y);

/// Front by front: the points nobody dominates, then those only the first front dominates, and so on (pagmo).
std::vector<std::vector<std::size_t>> non_dominated_sort(const std::vector<Point>& points);

/// The first front, by ascending first objective; of equal points only the first. Points that are not finite are left
/// out.
std::vector<std::size_t> front_of(const std::vector<Point>& points);

/// Candidates that are usable and that no other dominates, by ascending first objective.
std::vector<Candidate> merged_front(const std::vector<Candidate>& candidates);

/// A rectangle in (f_w, f_z).
struct Box {
    std::array<double, 2> lower{}, upper{};
    void check() const;  ///< throws BadInput unless finite and of positive sides
};

/// [S0] Table 4, modes 1 to 3.
Box published_box(int mode);

/// From the data: its lower corner the least errors of all fronts and of the experiment's variability, its upper corner
/// as given (by default that of [S0] Table 4).
Box box_of(const std::vector<std::vector<Point>>& fronts, const std::optional<Variability>& variability,
           std::array<double, 2> upper = {0.17, 0.5});

/// The model-form error of [S0] 3.7: the share of the box that the front leaves undominated. Straight between
/// neighbours (trapezoid), vertical above the first point, horizontal beyond the last, all cut at the box. Linear axes:
/// give f_w and f_z, not their logarithms. 1 without a point in reach.
double model_form_error(const std::vector<Point>& points, const Box& box);

/// The same with stairs between neighbours: 1 minus the dominated hypervolume. Never below the trapezoid's, and a
/// better point never raises it.
double undominated_share(const std::vector<Point>& points, const Box& box);

/// Index of the front's point nearest to the utopian point, both objectives scaled to the front's extent.
std::size_t nearest_to_utopia(const std::vector<Point>& front);

/// Index of the knee: the point deepest below the straight line between the ends of the front, objectives scaled to the
/// front's extent. The nearest to utopia when no point lies below that line.
std::size_t knee(const std::vector<Point>& front);

}  // namespace faying::fit
