#include "derivatives.hpp"

#include <cmath>
#include <numbers>

#include "derivative_pass.hpp"
#include "rest_slope.hpp"

namespace faying::modes {

namespace {

constexpr Eigen::Index most_unknowns = 200;  ///< of a closed loop solved for at once

}  // namespace

Derivatives::~Derivatives() = default;

Derivatives::Derivatives(Tracer& tracer, const structure::Model& model, const BackboneOptions& options)
    : tracer_(tracer),
      equations_(tracer.equations()),
      sites_(tracer.sites()),
      model_(model),
      parameters_(varied_parameters(model)) {
    const bool one_base = !tracer.uses_prestress() || tracer.start_kind() == Start::with_history;
    if (one_base && SlopeMoves::allow(sites_, false)) {
        moves_ = std::make_unique<SlopeMoves>(model, sites_, parameters_);
        moves_close_ = SlopeMoves::allow(sites_, true) &&
                       equations_.width() + Eigen::Index(moves_->memory_row().size()) <= most_unknowns;
        set_prestress_of_moves();
    }
    if (options.method == Method::qsma) set_load();
}

/// (K_y + S^T k S) dy = -S^T dF/dp, virgin and straight to the prestressed state, which is every part's base.
void Derivatives::set_prestress_of_moves() {
    const auto count = Eigen::Index(parameters_.size());
    base_.setZero(sites_.rows(), count);
    at_base_.setZero(sites_.rows(), count);
    if (!tracer_.uses_prestress()) return;
    const auto& interface = equations_.interface();
    moves_->begin();
    const auto& there = moves_->move(Eigen::VectorXd::Zero(sites_.rows()), SiteSlopes::first);
    Sites virgin = structure::joint_set(model_);
    virgin.evaluate(tracer_.at_rest().sites);
    Eigen::MatrixXd jacobian = interface.stiffness();
    add_stiffness(virgin, interface, jacobian);
    const Eigen::MatrixXd g = interface.site_map().transpose() * there.force_parameter;
    base_ = interface.site_map() * (-jacobian.partialPivLu().solve(g)).eval();
    at_base_ = there.force_parameter + there.force.col(SiteSlopes::first).asDiagonal() * base_;
}

std::vector<Derivatives::Pass> Derivatives::make_passes() {
    std::vector<Pass> passes;
    for (std::size_t first = 0; first < parameters_.size(); first += core::directions) {
        const std::size_t count = std::min<std::size_t>(core::directions, parameters_.size() - first);
        passes.emplace_back(tracer_, model_, seeds_of(model_, parameters_, first, count), Eigen::Index(first),
                            Eigen::Index(count));
    }
    return passes;
}

std::vector<Derivatives::Pass>& Derivatives::passes() {
    if (passes_.empty()) passes_ = make_passes();
    return passes_;
}

/// The linearised mode and its derivative: what QSMA loads.
void Derivatives::set_load() {
    equations_.set_loading(1.0, 1.0);
    sites_.restart();
    const Branch rest = equations_.start(1e-100);  // tangents at rest; the Jacobian has no other use for q
    const Lu lu = factors_at(rest);
    const auto count = Eigen::Index(parameters_.size());
    Eigen::MatrixXd slopes(rest.z.size() + 1, count);
    for (auto& pass : make_passes())
        slopes.middleCols(pass.first(), pass.count()) = pass.mode_slopes(rest, lu).leftCols(pass.count());
    load_ = load_slopes(rest, slopes);
    equations_.set_loading(0.0, 1.0);
    sites_.restart();
}

/// Of M times the shape of b, for d(z, lambda)/dp there.
Derivatives::LoadSlopes Derivatives::load_slopes(const Branch& b, const Eigen::MatrixXd& slopes) const {
    LoadSlopes load;
    load.y.resize(equations_.width(), slopes.cols());
    load.modes.resize(equations_.interface().modes(), slopes.cols());
    for (Eigen::Index k = 0; k < slopes.cols(); ++k) {
        const Shape phi = equations_.shape_slope(b, slopes.col(k));
        Eigen::VectorXd on_y(phi.y.size()), on_modes(phi.xi.size());
        equations_.interface().apply_mass(phi.y, phi.xi, on_y, on_modes);
        load.y.col(k) = on_y;
        load.modes.col(k) = on_modes;
    }
    return load;
}

const Derivatives::Lu& Derivatives::factors_at(const Branch& b) {
    equations_.refresh_factors(b);
    return equations_.factors();
}

/// -S^T g/q, and -d residual/dp of the load in the columns of parameters, the first of which has place `column`.
Eigen::MatrixXd Derivatives::rhs_of(const Branch& b, const Eigen::MatrixXd& force, const LoadSlopes& load,
                                    Eigen::Index first_parameter, Eigen::Index column) const {
    Eigen::MatrixXd rhs = Eigen::MatrixXd::Zero(b.z.size() + 1, force.cols());
    rhs.topRows(equations_.width()) = equations_.interface().site_map().transpose() * force / -b.q;
    for (Eigen::Index k = 0; column + k < rhs.cols() && first_parameter + k < load.y.cols(); ++k)
        rhs.col(column + k) -=
            equations_.load_slope(b, load.y.col(first_parameter + k), load.modes.col(first_parameter + k));
    return rhs;
}

Derivatives::Slopes Derivatives::first_loading(const Branch& b) {
    Slopes s;
    sites_.restart();
    const Lu& lu = factors_at(b);
    if (moves_) {
        Eigen::VectorXd u(sites_.rows());
        equations_.increments(b, u);
        moves_->begin();
        const auto& there = moves_->move(u, SiteSlopes::second);
        s.plus = lu.solve(rhs_of(b, there.force_parameter, 0, 0));
        const Eigen::MatrixXd du = b.q * (equations_.interface().site_map() * s.plus.topRows(equations_.width()));
        s.loss = 4.0 * (there.loss_parameter + du.transpose() * there.loss.col(SiteSlopes::second));
    } else {
        s.plus.resize(b.z.size() + 1, Eigen::Index(size()));
        s.loss.resize(Eigen::Index(size()));
        for (auto& pass : passes()) {
            pass.begin();
            const Eigen::MatrixXd slopes =
                pass.turn(b, lu, [&](const Eigen::MatrixXd& g) { return rhs_of(b, g, pass.first(), 0); });
            s.plus.middleCols(pass.first(), pass.count()) = slopes.leftCols(pass.count());
            s.loss.segment(pass.first(), pass.count()) = 4.0 * pass.dissipated().head(pass.count());
        }
    }
    s.minus = s.plus;
    sites_.restart();
    return s;
}

Derivatives::Slopes Derivatives::closed_loop(const Loop& loop) {
    passes_at_plus_ = false;
    if (!loop.accelerated || !moves_ || !moves_close_) return closed_by_passes(loop);
    return closed_by_moves(loop);
}

/// x = (z on y at +q, memories there): x = A x + b once around the loop, a column of A for each of them and one of b
/// for each parameter.
Derivatives::Slopes Derivatives::closed_by_moves(const Loop& loop) {
    using S = SiteSlopes;
    const auto& map = equations_.interface().site_map();
    const auto& row_of = moves_->memory_row();
    const Eigen::Index m = equations_.width(), rows = sites_.rows(), memories = Eigen::Index(row_of.size()),
                       n = m + memories, count = Eigen::Index(size()), all = n + count;
    sites_.evaluate(loop.at);
    sites_.commit();
    sites_.set_memory(loop.memory);
    const Lu lu_minus = factors_at(loop.minus);
    sites_.commit();
    const Lu lu_plus = factors_at(loop.plus);
    sites_.commit();
    Eigen::VectorXd u(rows);
    moves_->begin(loop.at, loop.memory);
    equations_.increments(loop.minus, u);
    const SiteSlopes down = moves_->move(u, S::first);
    equations_.increments(loop.plus, u);
    const SiteSlopes& up = moves_->move(u, S::second);

    Eigen::MatrixXd start = Eigen::MatrixXd::Zero(rows, all);  // displacements at the first +q
    start.leftCols(m) = loop.plus.q * Eigen::MatrixXd(map);
    start.rightCols(count) = base_;
    const auto of_state = [&](const SiteSlopes& s, S::Input last) {
        Eigen::MatrixXd g = s.force.col(S::place).asDiagonal() * start;
        for (Eigen::Index k = 0; k < memories; ++k) g(row_of[std::size_t(k)], m + k) += s.force_memory(k);
        g.rightCols(count) += s.force_parameter + s.force.col(last).asDiagonal() * base_ - at_base_;
        return g;
    };
    const auto moved = [&](const Branch& b, const Eigen::MatrixXd& z) {
        Eigen::MatrixXd d = b.q * (map * z.topRows(m));
        d.rightCols(count) += base_;
        return d;
    };
    const Eigen::MatrixXd z_minus = lu_minus.solve(rhs_of(loop.minus, of_state(down, S::first), 0, n));
    const Eigen::MatrixXd u_minus = moved(loop.minus, z_minus);
    const Eigen::MatrixXd g = of_state(up, S::second) + up.force.col(S::first).asDiagonal() * u_minus;
    const Eigen::MatrixXd z_plus = lu_plus.solve(rhs_of(loop.plus, g, 0, n));
    const Eigen::MatrixXd u_plus = moved(loop.plus, z_plus);
    Eigen::MatrixXd around(n, all);
    around.topRows(m) = z_plus.topRows(m);
    Eigen::RowVectorXd loss = up.loss.col(S::place).transpose() * start + up.loss.col(S::first).transpose() * u_minus +
                              up.loss.col(S::second).transpose() * u_plus;
    for (Eigen::Index k = 0; k < memories; ++k) {
        const Eigen::Index row = row_of[std::size_t(k)];
        around.row(m + k) = up.remembered(k, S::place) * start.row(row) +
                            up.remembered(k, S::first) * u_minus.row(row) +
                            up.remembered(k, S::second) * u_plus.row(row);
        around(m + k, m + k) += up.remembered(k, S::memory);
        around.row(m + k).tail(count) += up.remembered_parameter.row(k);
        loss(m + k) += up.loss_memory(k);
    }
    loss.tail(count) += up.loss_parameter.transpose();
    const double size = loop.memory.norm() / loop.plus.z.head(m).norm();  // of memories, against z
    Eigen::VectorXd scale = Eigen::VectorXd::Ones(n);
    if (size > 0) scale.tail(memories).setConstant(size);
    const Eigen::MatrixXd left =
        Eigen::MatrixXd::Identity(n, n) - scale.cwiseInverse().asDiagonal() * around.leftCols(n) * scale.asDiagonal();
    const Eigen::MatrixXd right = scale.cwiseInverse().asDiagonal() * around.rightCols(count);
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(left);
    const bool determined = lu.rcond() > 1e-13;  // else memories that the loop leaves as they are: the least change
    const Eigen::MatrixXd x =
        scale.asDiagonal() *
        (determined ? lu.solve(right).eval() : left.completeOrthogonalDecomposition().solve(right).eval());
    place_ = loop.plus.q * (map * x.topRows(m));
    memory_ = x.bottomRows(memories);
    return {z_plus.rightCols(count) + z_plus.leftCols(n) * x, z_minus.rightCols(count) + z_minus.leftCols(n) * x,
            (loss.tail(count) + loss.head(n) * x).transpose()};
}

Derivatives::Slopes Derivatives::closed_by_passes(const Loop& loop) {
    const auto& reversals = loop.reversals;
    Slopes s;
    s.plus.resize(loop.plus.z.size() + 1, Eigen::Index(size()));
    s.minus.resize(loop.minus.z.size() + 1, Eigen::Index(size()));
    s.loss.resize(Eigen::Index(size()));
    sites_.restart();
    std::vector<Lu> factors;
    for (std::size_t i = 0; i < reversals.size(); ++i) {
        if (loop.accelerated && i == 1) {
            sites_.evaluate(loop.at);
            sites_.commit();
            sites_.set_memory(loop.memory);
        }
        factors.push_back(factors_at(reversals[i]));
        sites_.commit();
    }
    passes_at_plus_ = true;
    for (auto& pass : passes()) {
        const auto rhs_at = [&](const Branch& b) {
            return [&](const Eigen::MatrixXd& g) { return rhs_of(b, g, pass.first(), 0); };
        };
        pass.begin();
        Eigen::MatrixXd plus, minus;
        Directions loss = Directions::Zero();
        if (loop.accelerated) {
            loss = pass.periodic(loop, factors, rhs_at, minus, plus);
        } else {
            Directions before = loss;
            for (std::size_t i = 0; i < reversals.size(); ++i) {
                (i % 2 == 0 ? plus : minus) = pass.turn(reversals[i], factors[i], rhs_at(reversals[i]));
                if (i + 3 == reversals.size()) before = pass.dissipated();
            }
            loss = pass.dissipated() - before;
        }
        s.plus.middleCols(pass.first(), pass.count()) = plus.leftCols(pass.count());
        s.minus.middleCols(pass.first(), pass.count()) = minus.leftCols(pass.count());
        s.loss.segment(pass.first(), pass.count()) = loss.head(pass.count());
    }
    return s;
}

/// Dual numbers at +q of the loop, where closing it did not leave them there.
void Derivatives::prepare_passes(const Loop& loop, const Slopes& slopes) {
    if (passes_at_plus_) return;
    passes_at_plus_ = true;
    for (auto& pass : passes()) {
        pass.begin();
        pass.set_state(loop, place_, memory_);
        // once around: the memories are then those of the last +q, as the joints' own
        for (const Branch* b : {&loop.minus, &loop.plus}) pass.go_to(*b, b == &loop.minus ? slopes.minus : slopes.plus);
    }
}

Eigen::VectorXd Derivatives::loop_work(Loop& loop, const Slopes& slopes, int& iterations, Eigen::MatrixXd& work_slope) {
    prepare_passes(loop, slopes);
    const Eigen::MatrixXd share = Lobatto(tracer_.path_points()).work();
    const Eigen::Index rows = sites_.rows(), points = share.rows(), count = Eigen::Index(size());
    const bool given = load_.y.cols() > 0;  // QSMA: the load is the same everywhere
    LoadSlopes at_plus, at_minus;
    if (!given) {
        at_plus = load_slopes(loop.plus, slopes.plus);
        at_minus = load_slopes(loop.minus, slopes.minus);
    }
    Eigen::MatrixXd u(rows, points), f(rows, points);
    std::vector<Eigen::MatrixXd> du(std::size_t(count), u), df = du;
    work_slope.setZero(rows, count);
    const auto note = [&](Eigen::Index point, const Pass& pass, const Branch& b, const Eigen::MatrixXd& z,
                          const Eigen::MatrixXd& force) {
        const Eigen::MatrixXd moved = b.q * (equations_.interface().site_map() * z.topRows(equations_.width()));
        for (Eigen::Index k = 0; k < pass.count(); ++k) {
            du[std::size_t(pass.first() + k)].col(point) = moved.col(k);
            df[std::size_t(pass.first() + k)].col(point) = force.col(k);
        }
    };
    const auto visit = [&](const Branch& b, const Tracer::Node& node) {
        Eigen::VectorXd at(rows);
        equations_.increments(b, at);
        u.col(node.index) = at;
        f.col(node.index) = sites_.force();
        const bool reversal = node.first || node.last;
        LoadSlopes load = load_;
        if (!given && !reversal) {
            const auto &start = node.down ? at_plus : at_minus, &end = node.down ? at_minus : at_plus;
            load = {node.start * start.y + node.end * end.y, node.start * start.modes + node.end * end.modes};
        }
        const Lu* lu = reversal ? nullptr : &factors_at(b);
        for (auto& pass : passes_) {
            Eigen::MatrixXd z;
            if (reversal)
                z = (b.q > 0 ? slopes.plus : slopes.minus).middleCols(pass.first(), pass.count());
            else
                z = pass.slopes_at(b, *lu,
                                   [&](const Eigen::MatrixXd& g) { return rhs_of(b, g, load, pass.first(), 0); });
            note(node.index, pass, b, z, pass.force_slopes(b, z));
            if (node.last) pass.accept();
        }
        if (!node.last) return;
        for (Eigen::Index k = 0; k < count; ++k)
            work_slope.col(k) += (df[std::size_t(k)] * share).cwiseProduct(u).rowwise().sum() +
                                 (f * share).cwiseProduct(du[std::size_t(k)]).rowwise().sum();
    };
    return tracer_.loop_work(loop, iterations, visit);
}

void Derivatives::write(BackbonePoint& point, const Branch& plus, const Branch& minus, const Slopes& slopes) const {
    const Eigen::VectorXd up = slopes.lambda_plus(), down = slopes.lambda_minus();
    point.derivatives.clear();
    for (std::size_t c = 0; c < size(); ++c) {
        const auto k = Eigen::Index(c);
        ParameterDerivative d{parameters_[c].joint, parameters_[c].parameter};
        d.law = model_.joints[d.joint].law.derivatives();
        d.omega = 0.25 * (up(k) / std::sqrt(plus.lambda) + down(k) / std::sqrt(minus.lambda));
        d.dissipation = slopes.loss(k);
        d.zeta = d.dissipation / (2 * std::numbers::pi * point.omega * point.omega * point.q * point.q) -
                 2.0 * point.zeta_friction * d.omega / point.omega;
        if (model_.damping.size() > 0) {
            const Eigen::VectorXd load =
                load_.modes.cols() > 0 ? Eigen::VectorXd(load_.modes.col(k)) : Eigen::VectorXd();
            const Shape shape = equations_.shape_slope(plus, slopes.plus.col(k), load);
            const Eigen::VectorXd slope = equations_.interface().full(shape.y, shape.xi);
            d.zeta +=
                slope.dot(model_.damping * point.shape) / point.omega - point.zeta_viscous * d.omega / point.omega;
        }
        point.derivatives.push_back(d);
    }
}

}  // namespace faying::modes
