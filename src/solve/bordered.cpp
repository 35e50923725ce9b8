#include "faying/solve/bordered.hpp"

namespace faying::solve {

Eigen::MatrixXd Slopes::whole() const {
    Eigen::MatrixXd all = Eigen::MatrixXd::Identity(to_x.rows(), to_x.rows());
    for (std::size_t j = 0; j < columns.size(); ++j) all.col(columns[j]) = to_x.col(Eigen::Index(j));
    return all;
}

void BorderedLu::compute(const Slopes& slopes, const Eigen::VectorXd& scale, const Eigen::VectorXd& row) {
    factorise(slopes, &scale, &row);
}

void BorderedLu::compute(const Slopes& slopes) { factorise(slopes, nullptr, nullptr); }

void BorderedLu::factorise(const Slopes& slopes, const Eigen::VectorXd* scale, const Eigen::VectorXd* row) {
    const Eigen::Index n = slopes.to_x.rows(), many = slopes.to_x.cols(), extra = row ? 1 : 0;
    size_ = n + extra;
    mixed_ = slopes.columns;
    plain_.clear();
    std::size_t next = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
        if (next < mixed_.size() && mixed_[next] == i)
            ++next;
        else
            plain_.push_back(i);
    }
    const auto rest = Eigen::Index(plain_.size());
    Eigen::MatrixXd a(many + extra, many + extra);
    lower_.resize(rest, many + extra);
    scale_.setOnes(rest);
    for (Eigen::Index j = 0; j < many; ++j) {
        const double unit = scale ? (*scale)(mixed_[std::size_t(j)]) : 1.0;
        const auto column = slopes.to_x.col(j);
        for (Eigen::Index i = 0; i < many; ++i) a(i, j) = unit * column(mixed_[std::size_t(i)]);
        for (Eigen::Index i = 0; i < rest; ++i) lower_(i, j) = unit * column(plain_[std::size_t(i)]);
    }
    if (row) {
        const double unit = (*scale)(n);
        for (Eigen::Index i = 0; i < many; ++i) a(i, many) = unit * slopes.to_p(mixed_[std::size_t(i)]);
        row_.resize(rest);
        for (Eigen::Index i = 0; i < rest; ++i) {
            lower_(i, many) = unit * slopes.to_p(plain_[std::size_t(i)]);
            scale_(i) = (*scale)(plain_[std::size_t(i)]);
            row_(i) = (*row)(plain_[std::size_t(i)]) / scale_(i);
        }
        for (Eigen::Index j = 0; j < many; ++j) a(many, j) = (*row)(mixed_[std::size_t(j)]);
        a(many, many) = (*row)(n);
        if (rest > 0) a.row(many).noalias() -= row_ * lower_;
    }
    lu_.compute(a);
    sign_ = lu_.sign();
}

Eigen::MatrixXd BorderedLu::solve(const Eigen::MatrixXd& side) const {
    const auto many = Eigen::Index(mixed_.size()), rest = Eigen::Index(plain_.size()), extra = lower_.cols() - many;
    Eigen::MatrixXd top(many + extra, side.cols()), below(rest, side.cols());
    for (Eigen::Index i = 0; i < many; ++i) top.row(i) = side.row(mixed_[std::size_t(i)]);
    for (Eigen::Index i = 0; i < rest; ++i) below.row(i) = side.row(plain_[std::size_t(i)]);
    if (extra > 0) {
        top.row(many) = side.row(size_ - 1);
        if (rest > 0) top.row(many).noalias() -= row_ * below;
    }
    const Eigen::MatrixXd found = lu_.solve(top);
    if (rest > 0) {
        below.noalias() -= lower_ * found;
        below.array().colwise() /= scale_.array();
    }
    Eigen::MatrixXd out(size_, side.cols());
    for (Eigen::Index i = 0; i < many; ++i) out.row(mixed_[std::size_t(i)]) = found.row(i);
    for (Eigen::Index i = 0; i < rest; ++i) out.row(plain_[std::size_t(i)]) = below.row(i);
    if (extra > 0) out.row(size_ - 1) = found.row(many);
    return out;
}

}  // namespace faying::solve
