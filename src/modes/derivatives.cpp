// Derivatives of a point to every law parameter, by the implicit function theorem along the path that led to it.
//
// Dual numbers stay inside the laws, four parameters a pass. At every reversal, with the joints' states carrying the
// derivatives of the past: g = dF/dp at fixed z, lambda;  J (dz, dlambda) = -S^T g/q;  then the states are committed at
// displacements that carry q S dz. A loop whose memory was solved for is differentiated the same way: its memory's
// derivative is the fixed point of the linear map once around the loop.

#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "tracer.hpp"

namespace faying::modes {

namespace {

using core::Dual;
using DualVector = std::vector<Dual>;
constexpr int directions = core::directions;

/// The joints on dual numbers, for one pass of parameters.
class DualSites {
 public:
    struct Part {
        laws::JointOf<Dual> joint;
        const Sites::Part* plain;
        DualVector base, at_base;
    };

    DualSites(const structure::Model& model, const Sites& sites, const std::vector<std::vector<int>>& seeds)
        : model_(model) {
        std::size_t next = 0;
        for (std::size_t g = 0; g < model.joints.size(); ++g)
            for (auto& joint : model.joints[g].law.joints(std::size_t(model.joints[g].sites()), seeds[g]))
                parts_.push_back({std::move(joint), &sites.parts()[next++], {}, {}});
    }

    /// Forces of virgin laws at plain displacements, for the derivative of the prestress.
    Eigen::MatrixXd virgin_force(const Eigen::VectorXd& displacements) {
        DualVector u(std::size_t(displacements.size()));
        for (std::size_t i = 0; i < u.size(); ++i) u[i] = Dual(displacements(long(i)));
        for (auto& part : parts_) {
            part.joint.reset();
            part.base.assign(std::size_t(part.plain->count), Dual(0.0));
            part.at_base = part.base;
        }
        return force(u);
    }

    void begin(Start start, const Eigen::VectorXd& prestressed, const Eigen::MatrixXd& slope) {
        for (auto& part : parts_) {
            const auto& plain = *part.plain;
            const auto count = std::size_t(plain.count);
            const Eigen::VectorXd base = Sites::base_of(plain, start, prestressed.segment(plain.row, plain.count));
            part.base.resize(count);
            for (int d = 0; d < directions; ++d) {
                const Eigen::VectorXd moved =
                    Sites::base_of(plain, start, slope.col(d).segment(plain.row, plain.count));
                for (std::size_t i = 0; i < count; ++i) {
                    part.base[i].a = base(long(i));
                    part.base[i].v[d] = moved(long(i));
                }
            }
            part.joint.reset();
            part.at_base.resize(count);
            tangent_.resize(count * std::size_t(plain.components));
            part.joint.evaluate(part.base, part.at_base, tangent_);
            if (Sites::has_path(plain, start)) part.joint.commit();
        }
    }

    /// Derivatives of the weighted force increments at increments that may carry derivatives: rows x directions.
    Eigen::MatrixXd force(const DualVector& increments) {
        Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(long(increments.size()), directions);
        for (auto& part : parts_) {
            const auto& plain = *part.plain;
            const auto count = std::size_t(plain.count);
            at_.resize(count);
            force_.resize(count);
            tangent_.resize(count * std::size_t(plain.components));
            for (std::size_t i = 0; i < count; ++i) at_[i] = part.base[i] + increments[std::size_t(plain.row) + i];
            part.joint.evaluate(at_, force_, tangent_);
            const auto& weight = model_.joints[plain.group].weight;
            for (std::size_t i = 0; i < count; ++i)
                slope.row(plain.row + long(i)) +=
                    weight(long(i) / plain.components) * (force_[i].v - part.at_base[i].v).transpose();
        }
        return slope;
    }
    void commit() {
        for (auto& part : parts_)
            if (!part.plain->elastic) part.joint.commit();
    }

    Eigen::Matrix<double, directions, 1> dissipated() const {
        Eigen::Matrix<double, directions, 1> sum = Eigen::Matrix<double, directions, 1>::Zero();
        for (const auto& part : parts_) {
            if (part.plain->elastic) continue;
            const auto& weight = model_.joints[part.plain->group].weight;
            for (Eigen::Index i = 0; i < weight.size(); ++i) sum += weight(i) * part.joint.dissipated(std::size_t(i)).v;
        }
        return sum;
    }

    void memory(DualVector& out) const {
        out.clear();
        for (const auto& part : parts_) {
            if (part.plain->elastic) continue;
            const std::size_t at = out.size(), count = part.joint.memory_size() * part.joint.sites();
            out.resize(at + count);
            part.joint.memory({out.data() + at, count});
        }
    }
    void set_memory(const DualVector& in) {
        std::size_t at = 0;
        for (auto& part : parts_) {
            if (part.plain->elastic) continue;
            const std::size_t count = part.joint.memory_size() * part.joint.sites();
            part.joint.set_memory({in.data() + at, count});
            at += count;
        }
    }

 private:
    const structure::Model& model_;
    std::vector<Part> parts_;
    DualVector at_, force_, tangent_;
};

/// Factors of the Jacobian at a reversal: the same for all parameters, and every time around a closed loop.
struct Factors {
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    bool known = false;
};

/// One pass: up to four parameters.
class Pass {
 public:
    Pass(Tracer& tracer, const structure::Model& model, const std::vector<std::vector<int>>& seeds)
        : tracer_(tracer), equations_(tracer.equations()), plain_(tracer.sites()), dual_(model, plain_, seeds) {
        Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(plain_.rows(), directions);
        if (tracer.uses_prestress()) slope = prestress_slope();
        dual_.begin(tracer.start_kind(), tracer.at_rest().sites, slope);
        plain_.restart();
    }

    struct Slopes {
        Eigen::MatrixXd z;                                ///< (z, lambda) x directions
        Eigen::Matrix<double, directions, 1> dissipated;  ///< total, after the commit
    };

    /// Solves and commits at the next reversal. The plain joints follow only where factors are still to be made.
    Slopes turn(const Branch& b, Factors& factors) {
        const Eigen::Index m = equations_.width(), n = b.z.size();
        if (!factors.known) {
            equations_.refresh_factors(b);
            factors = {equations_.factors(), true};
            plain_.commit();
        }
        Eigen::VectorXd u(plain_.rows());
        equations_.increments(b, u);
        DualVector at(std::size_t(u.size()));
        for (std::size_t i = 0; i < at.size(); ++i) at[i] = Dual(u(long(i)));
        const Eigen::MatrixXd g = dual_.force(at);
        Slopes s;
        s.z.setZero(n + 1, directions);
        s.z.topRows(m) = -(equations_.interface().site_map().transpose() * g) / b.q;
        s.z = factors.lu.solve(s.z).eval();
        const Eigen::MatrixXd du = b.q * (equations_.interface().site_map() * s.z.topRows(m));
        for (std::size_t i = 0; i < at.size(); ++i) at[i].v = du.row(long(i)).transpose();
        dual_.force(at);
        dual_.commit();
        s.dissipated = dual_.dissipated();
        return s;
    }

    Eigen::Matrix<double, directions, 1> dissipated() const { return dual_.dissipated(); }
    DualSites& dual() { return dual_; }

 private:
    Tracer& tracer_;
    Equations& equations_;
    Sites& plain_;
    DualSites dual_;

    /// (K_y + S^T k S) dy = -S^T df/dp, friction active.
    Eigen::MatrixXd prestress_slope() {
        const auto& interface = equations_.interface();
        Sites virgin(plain_.model(), interface);
        virgin.evaluate(tracer_.at_rest().sites);
        Eigen::MatrixXd jacobian = interface.stiffness();
        virgin.add_stiffness(jacobian);
        const Eigen::MatrixXd g = interface.site_map().transpose() * dual_.virgin_force(tracer_.at_rest().sites);
        return interface.site_map() * (-jacobian.partialPivLu().solve(g)).eval();
    }
};

/// The loop's state was solved for: the derivative of the joints' memory and place at +q is the fixed point of a linear
/// map once around the loop, found as the state itself was.
void periodic(Pass& pass, Equations& equations, const Loop& loop, std::vector<Factors>& factors, Pass::Slopes& minus,
              Pass::Slopes& plus, Eigen::Matrix<double, directions, 1>& lost) {
    Sites& plain = equations.sites();
    const Eigen::Index m = equations.width(), rows = plain.rows(), size = loop.memory.size();
    const double scale = loop.at.norm() > 0 ? loop.memory.norm() / loop.at.norm() : 1.0;
    plus = pass.turn(loop.reversals.front(), factors[0]);
    Eigen::MatrixXd place = loop.plus.q * (equations.interface().site_map() * plus.z.topRows(m));
    DualVector memory(static_cast<std::size_t>(size)), image, at(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = Dual(loop.memory(long(i)));
    std::vector<Anderson> mixing(directions, Anderson(40));
    for (int n = 0; n < 80; ++n) {
        for (std::size_t i = 0; i < at.size(); ++i) {
            at[i].a = loop.at(long(i));
            at[i].v = place.row(long(i)).transpose();
        }
        pass.dual().force(at);
        pass.dual().commit();
        pass.dual().set_memory(memory);
        if (!factors[2].known) {
            plain.evaluate(loop.at);
            plain.commit();
            plain.set_memory(loop.memory);
        }
        const auto before = pass.dissipated();
        minus = pass.turn(loop.minus, factors[1]);
        plus = pass.turn(loop.plus, factors[2]);
        lost = plus.dissipated - before;
        pass.dual().memory(image);
        const Eigen::MatrixXd moved = loop.plus.q * (equations.interface().site_map() * plus.z.topRows(m));
        double miss = 0;
        for (int d = 0; d < directions; ++d) {
            Eigen::VectorXd x(size + rows), gx(size + rows);
            for (Eigen::Index i = 0; i < size; ++i) {
                x(i) = memory[std::size_t(i)].v[d];
                gx(i) = image[std::size_t(i)].v[d];
            }
            x.tail(rows) = scale * place.col(d);
            gx.tail(rows) = scale * moved.col(d);
            if (gx.norm() > 0) miss = std::max(miss, (gx - x).norm() / gx.norm());
            const Eigen::VectorXd next = mixing[std::size_t(d)].next(x, gx);
            for (Eigen::Index i = 0; i < size; ++i) memory[std::size_t(i)].v[d] = next(i);
            place.col(d) = next.tail(rows) / scale;
        }
        if (miss <= 1e-8) break;
    }
}

}  // namespace

void add_derivatives(Tracer& tracer, const structure::Model& model, const BackboneOptions& options,
                     const std::vector<Branch>& reversals, const Loop* loop, BackbonePoint& point) {
    if (tracer.uses_prestress() && options.prestress != Friction::active)
        throw core::BadInput("backbone", "derivatives through a conservative or linear prestress are not there yet");
    std::vector<ParameterDerivative> all;
    for (std::size_t j = 0; j < model.joints.size(); ++j)
        for (std::size_t i = 0; i < model.joints[j].law.parameters().size(); ++i) {
            const auto& law = model.joints[j].law;
            if (law.parameters()[i].fallback && law.values()[i] == *law.parameters()[i].fallback &&
                law.parameters()[i].key.starts_with("k") && law.elastic())
                continue;  // coefficients of a polynomial that nobody gave
            all.push_back({j, i, 0, 0, 0});
        }
    const double q = point.q, pi = std::numbers::pi;
    std::vector<Factors> factors(reversals.size());
    for (std::size_t first = 0; first < all.size(); first += directions) {
        const std::size_t count = std::min<std::size_t>(directions, all.size() - first);
        std::vector<std::vector<int>> seeds;
        for (const auto& joint : model.joints) seeds.emplace_back(joint.law.parameters().size(), -1);
        for (std::size_t k = 0; k < count; ++k) seeds[all[first + k].joint][all[first + k].parameter] = int(k);
        Pass pass(tracer, model, seeds);
        Pass::Slopes plus, minus;
        Eigen::Matrix<double, directions, 1> lost = Eigen::Matrix<double, directions, 1>::Zero();
        if (!loop) {
            plus = minus = pass.turn(reversals.front(), factors.front());
            lost = 4.0 * plus.dissipated;
        } else if (loop->accelerated) {
            periodic(pass, tracer.equations(), *loop, factors, minus, plus, lost);
        } else {
            Eigen::Matrix<double, directions, 1> before = lost;
            for (std::size_t i = 0; i < reversals.size(); ++i) {
                const auto s = pass.turn(reversals[i], factors[i]);
                if (i + 3 == reversals.size()) before = s.dissipated;
                (i % 2 == 0 ? plus : minus) = s;
            }
            lost = plus.dissipated - before;
        }
        const Branch& up = loop ? loop->plus : reversals.front();
        const Branch& down = loop ? loop->minus : reversals.front();
        for (std::size_t k = 0; k < count; ++k) {
            auto& d = all[first + k];
            const auto c = long(k);
            d.omega = 0.25 * (plus.z(plus.z.rows() - 1, c) / std::sqrt(up.lambda) +
                              minus.z(minus.z.rows() - 1, c) / std::sqrt(down.lambda));
            d.dissipation = lost(c);
            d.zeta = d.dissipation / (2 * pi * point.omega * point.omega * q * q) -
                     2.0 * point.zeta_friction * d.omega / point.omega;
            if (model.damping.size() > 0) {
                auto& equations = tracer.equations();
                const double h = 1e-6 * up.z.norm() / std::max(plus.z.col(c).norm(), 1e-300);  // along a known line
                Branch ahead = up, behind = up;
                ahead.z += h * plus.z.col(c).head(up.z.size());
                behind.z -= h * plus.z.col(c).head(up.z.size());
                ahead.lambda += h * plus.z(up.z.size(), c);
                behind.lambda -= h * plus.z(up.z.size(), c);
                const Eigen::VectorXd slope = (equations.full_shape(ahead) - equations.full_shape(behind)) / (2 * h);
                d.zeta +=
                    slope.dot(model.damping * point.shape) / point.omega - point.zeta_viscous * d.omega / point.omega;
            }
        }
    }
    point.derivatives = std::move(all);
    tracer.sites().restart();
}

}  // namespace faying::modes
