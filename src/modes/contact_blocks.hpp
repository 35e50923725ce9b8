#pragma once
// Groups of contact sites that read the same few coordinates (a crack, say): what each feels of the structure while all
// others are shut, and its own equilibrium on that.
//
//     S_c d + f_c(u - d) - f_c(u) = r_c,      S_c = K_cc - K_ci K_ii^-1 K_ic,     i: the coordinates around it

#include "faying/structure/model.hpp"
#include "sites.hpp"

namespace faying::modes {

/// One joint of a set by itself: forces and tangents of its rows, from the states that the set has committed.
class JointAlone {
 public:
    JointAlone(const Sites& sites, std::size_t joint, const Eigen::VectorXd& weight);

    Eigen::Index row() const { return row_; }  ///< its first in the set
    Eigen::Index rows() const { return force_.size(); }
    void begin(const Sites& sites);
    void evaluate(const Eigen::Ref<const Eigen::VectorXd>& u);
    const Eigen::VectorXd& force() const { return force_; }
    /// Of a site, row by row.
    const double* tangent(Eigen::Index site) const { return tangent_.data() + site * width_ * width_; }
    int width() const { return width_; }

 private:
    std::vector<std::size_t> parts_;  ///< of the set
    std::vector<laws::JointOf<double>> joints_;
    std::vector<Eigen::VectorXd> base_, at_base_;  ///< of its parts; empty: zero
    Eigen::VectorXd weight_, force_, tangent_;
    Eigen::Index row_ = 0;
    int width_ = 1;
};

/// Where a block is, and what it holds there.
struct SettledBlock {
    Eigen::VectorXd way;       ///< of its faces
    Eigen::VectorXd residual;  ///< that is left
    Eigen::MatrixXd held;      ///< tangents of its joints on its faces
};

class ContactBlock {
 public:
    std::vector<JointAlone> joints = {};
    std::vector<Eigen::Index> faces = {};  ///< coordinates that its sites read, by their number among all such
    Interface::SiteMap map = {};           ///< rows of its joints, one joint after the other, on these
    Eigen::MatrixXd stiffness = {};        ///< S_c

    Eigen::VectorXd gather(const Eigen::VectorXd& of_faces) const;
    void scatter(const Eigen::VectorXd& of_block, Eigen::VectorXd& of_faces) const;

    /// To its own equilibrium under the residual r from where its faces are at y.
    SettledBlock settle(const Sites& sites, const Eigen::VectorXd& y, const Eigen::VectorXd& r);
    /// No way at all, with the tangents that the joints have at displacements u of all sites.
    SettledBlock stay(const Sites& sites, const Eigen::VectorXd& u, const Eigen::VectorXd& r);

    Eigen::VectorXd evaluate(const Eigen::VectorXd& y);  ///< forces on its faces
    Eigen::MatrixXd held() const;                        ///< tangents there
};

/// Joints that share coordinates are one block. `map` is of all sites, on the faces.
std::vector<ContactBlock> contact_blocks(const Interface::SiteMap& map, const Sites& sites,
                                         const std::vector<structure::Joint>& joints);

/// S_c of every block from the coordinates nearest to it in the matrix; beyond them nothing moves, and every other
/// block is shut. `faces`: coordinates of the faces; `face_of`: the number of a coordinate among them, -1: none.
void find_stiffnesses(std::vector<ContactBlock>& blocks, const Eigen::SparseMatrix<double>& stiffness,
                      const std::vector<Eigen::Index>& faces, const std::vector<int>& face_of);

}  // namespace faying::modes
