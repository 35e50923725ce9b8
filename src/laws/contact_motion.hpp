#pragma once
// A periodic motion of one contact site, and what the contact makes of it before any friction: whether it touches, how
// much it can hold, and the times at which either changes abruptly.

#include <Eigen/Dense>
#include <vector>

#include "faying/laws/harmonic_contact.hpp"

namespace faying::laws {

/// Keeps references to what it is given.
class ContactMotion {
 public:
    struct Place {  ///< of the motion at a time
        Eigen::VectorXd h, rate, bend;
        Eigen::Vector3d u, v, a;
        double limit = 0, limit_rate = 0, pressed = 0;  ///< its derivative to un
        bool touches = true, grips = true;
    };

    ContactMotion(const ContactPieces& law, const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                  const Eigen::VectorXd& motion);

    /// `inside` tells on which side of an event the time is.
    Place at(double t, double inside) const;
    /// d(ux, uy) and d(un) to the motion's harmonics, from the values of their functions.
    Eigen::MatrixXd tangential(const Eigen::VectorXd& h) const;
    Eigen::RowVectorXd normal(const Eigen::VectorXd& h) const;

    const core::Harmonics& harmonics() const { return harmonics_; }
    const Eigen::MatrixXd& coefficients() const { return u_; }
    Eigen::Index functions() const { return functions_; }
    Eigen::Index columns() const { return columns_; }
    bool straight() const { return straight_; }                  ///< nothing moves along the second axis
    double largest_limit() const { return largest_limit_; }      ///< a bound
    const std::vector<double>& marks() const { return marks_; }  ///< 0, where the limit has kinks, often enough, 2 pi

 private:
    const ContactPieces& law_;
    const Eigen::VectorXd& base_;
    const core::Harmonics& harmonics_;
    Eigen::MatrixXd u_;
    Eigen::Index functions_, columns_;
    bool straight_ = false;
    double largest_limit_ = 1;
    std::vector<double> marks_;

    void mark_crossings(double level);
    void mark_times();
};

}  // namespace faying::laws
