#include "derivative_pass.hpp"

#include "rest_slope.hpp"

namespace faying::modes {

Derivatives::Pass::Pass(Tracer& tracer, const structure::Model& model, const std::vector<std::vector<int>>& seeds,
                        Eigen::Index first, Eigen::Index count)
    : tracer_(tracer),
      equations_(tracer.equations()),
      first_(first),
      count_(count),
      dual_(dual_sites(model, seeds)),
      prestress_(tracer.uses_prestress()
                     ? rest_slope(model, equations_.interface(), tracer.at_rest(), tracer.prestress_friction(), dual_)
                     : Eigen::MatrixXd::Zero(equations_.interface().site_map().rows(), core::directions)) {}

void Derivatives::Pass::begin() {
    dual_.begin(with_slopes(tracer_.at_rest().sites, prestress_), tracer_.start_kind() == Start::with_history);
}

Eigen::MatrixXd Derivatives::Pass::force(const DualSites::Vector& increments) {
    dual_.evaluate(increments);
    return slopes_of(dual_.force()).leftCols(count_);
}

/// Increments at b; with d(z, lambda)/dp, a column per direction, as dual numbers.
DualSites::Vector Derivatives::Pass::at(const Branch& b, const Eigen::MatrixXd* slopes) const {
    Eigen::VectorXd u(equations_.interface().site_map().rows());
    equations_.increments(b, u);
    if (!slopes) return constants(u);
    return with_slopes(u, b.q * (equations_.interface().site_map() * slopes->topRows(equations_.width())));
}

Eigen::MatrixXd Derivatives::Pass::slopes_at(const Branch& b, const Lu& lu, const Rhs& rhs) {
    return lu.solve(rhs(force(at(b, nullptr))));
}

Eigen::MatrixXd Derivatives::Pass::turn(const Branch& b, const Lu& lu, const Rhs& rhs) {
    Eigen::MatrixXd slopes = slopes_at(b, lu, rhs);
    dual_.evaluate(at(b, &slopes));
    dual_.commit();
    return slopes;
}

void Derivatives::Pass::go_to(const Branch& b, const Eigen::MatrixXd& slopes) {
    const Eigen::MatrixXd own = slopes.middleCols(first_, count_);
    dual_.evaluate(at(b, &own));
    dual_.commit();
}

void Derivatives::Pass::place_at(const Eigen::VectorXd& u, const Eigen::MatrixXd& slope,
                                 const DualSites::Vector& memory) {
    dual_.evaluate(with_slopes(u, slope));
    dual_.commit();
    dual_.set_memory(memory);
}

void Derivatives::Pass::set_state(const Loop& loop, const Eigen::MatrixXd& place, const Eigen::MatrixXd& memory) {
    place_at(loop.at, place.middleCols(first_, count_), with_slopes(loop.memory, memory.middleCols(first_, count_)));
}

Eigen::MatrixXd Derivatives::Pass::mode_slopes(const Branch& rest, const Lu& lu) {
    const auto& interface = equations_.interface();
    begin();
    dual_.evaluate(constants(Eigen::VectorXd::Zero(dual_.rows())));
    const Eigen::VectorXd v = interface.site_map() * rest.z.head(equations_.width());
    Eigen::MatrixXd rhs = Eigen::MatrixXd::Zero(rest.z.size() + 1, count_);
    DualSites::Vector force(v.size());
    dual_.multiply_tangent(v, force);
    rhs.topRows(equations_.width()) = -(interface.site_map().transpose() * slopes_of(force).leftCols(count_));
    return lu.solve(rhs);
}

Directions Derivatives::Pass::periodic(const Loop& loop, const std::vector<Lu>& factors,
                                       const std::function<Rhs(const Branch&)>& rhs_at, Eigen::MatrixXd& minus,
                                       Eigen::MatrixXd& plus) {
    const auto& map = equations_.interface().site_map();
    const Eigen::Index m = equations_.width(), rows = map.rows(), size = loop.memory.size();
    const double scale = loop.at.norm() > 0 ? loop.memory.norm() / loop.at.norm() : 1.0;
    const Branch& front = loop.reversals.front();
    plus = turn(front, factors[0], rhs_at(front));
    Eigen::MatrixXd place = loop.plus.q * (map * plus.topRows(m));
    DualSites::Vector memory = constants(loop.memory), image;
    std::vector<Anderson> mixing(std::size_t(count_), Anderson(40));
    Directions loss = Directions::Zero();
    for (int n = 0; n < 80; ++n) {
        place_at(loop.at, place, memory);
        const auto before = dissipated();
        minus = turn(loop.minus, factors[1], rhs_at(loop.minus));
        plus = turn(loop.plus, factors[2], rhs_at(loop.plus));
        loss = dissipated() - before;
        dual_.memory(image);
        const Eigen::MatrixXd moved = loop.plus.q * (map * plus.topRows(m));
        double error = 0;
        for (int d = 0; d < int(count_); ++d) {
            Eigen::VectorXd x(size + rows), gx(size + rows);
            for (Eigen::Index i = 0; i < size; ++i) {
                x(i) = memory(i).v[d];
                gx(i) = image(i).v[d];
            }
            x.tail(rows) = scale * place.col(d);
            gx.tail(rows) = scale * moved.col(d);
            if (gx.norm() > 0) error = std::max(error, (gx - x).norm() / gx.norm());
            const Eigen::VectorXd next = mixing[std::size_t(d)].next(x, gx);
            for (Eigen::Index i = 0; i < size; ++i) memory(i).v[d] = next(i);
            place.col(d) = next.tail(rows) / scale;
        }
        if (error <= 1e-8) break;
    }
    return loss;
}

}  // namespace faying::modes
