#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/sparse/sparse.hpp"
#include "operator.hpp"

namespace faying::sparse {

namespace {

/// What SLEPc's shift-and-invert calls for K^-1.
struct Inverse {
    const Rows& rows;
    const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& apply;
    const std::function<void(double)>& done;
    double expected;  ///< applications; most problems take less
    double applied = 0;
    std::exception_ptr failure = nullptr;  ///< exceptions do not cross C
};

Eigen::MatrixXd copy_of(Vec x, const Rows& rows) {
    const PetscScalar* data = nullptr;
    ask(petsc().VecGetArrayRead(x, &data), "VecGetArrayRead");
    Eigen::MatrixXd local = Eigen::Map<const Eigen::VectorXd>(data, rows.count());
    ask(petsc().VecRestoreArrayRead(x, &data), "VecRestoreArrayRead");
    return local;
}

void copy_to(const Eigen::MatrixXd& local, Vec y) {
    PetscScalar* data = nullptr;
    ask(petsc().VecGetArrayWrite(y, &data), "VecGetArrayWrite");
    Eigen::Map<Eigen::VectorXd>(data, local.rows()) = local.col(0);
    ask(petsc().VecRestoreArrayWrite(y, &data), "VecRestoreArrayWrite");
}

PetscErrorCode apply_inverse(PC pc, Vec x, Vec y) {
    Inverse* inverse = nullptr;
    petsc().PCShellGetContext(pc, &inverse);
    try {
        copy_to(inverse->apply(copy_of(x, inverse->rows)), y);
        if (inverse->done) inverse->done(std::min(0.95, ++inverse->applied / inverse->expected));
        return 0;
    } catch (...) {
        inverse->failure = std::current_exception();
        return PETSC_ERR_USER;
    }
}

/// Shift-and-invert about zero, with our own inverse.
void use_inverse(EPS eps, Inverse& inverse) {
    ST st = nullptr;
    KSP ksp = nullptr;
    PC pc = nullptr;
    ask(petsc().EPSGetST(eps, &st), "EPSGetST");
    ask(petsc().STSetType(st, STSINVERT), "STSetType");
    ask(petsc().STGetKSP(st, &ksp), "STGetKSP");
    ask(petsc().KSPSetType(ksp, KSPPREONLY), "KSPSetType");
    ask(petsc().KSPGetPC(ksp, &pc), "KSPGetPC");
    ask(petsc().PCSetType(pc, PCSHELL), "PCSetType");
    ask(petsc().PCShellSetContext(pc, &inverse), "PCShellSetContext");
    ask(petsc().PCShellSetApply(pc, apply_inverse), "PCShellSetApply");
}

/// The same scattered start on any number of ranks.
Eigen::MatrixXd scattered(const Rows& rows) {
    Eigen::MatrixXd x(rows.count(), 1);
    for (Eigen::Index i = 0; i < x.rows(); ++i) x(i) = std::sin(1.0 + 7.3 * static_cast<double>(rows.begin + i));
    return x;
}

}  // namespace

void fix_signs(Eigen::MatrixXd& local, const Rows& rows) {
    const Eigen::MatrixXd whole = rows.whole(local);
    for (Eigen::Index j = 0; j < whole.cols(); ++j) {
        const double largest = whole.col(j).cwiseAbs().maxCoeff();
        Eigen::Index i = 0;
        while (std::abs(whole(i, j)) < largest * (1 - 1e-6)) ++i;
        if (whole(i, j) < 0) local.col(j) *= -1;
    }
}

Eigenpairs lowest(const Operator& k, const Operator& m, Eigen::Index count,
                  const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& inverse, double tolerance,
                  const std::function<void(double)>& done) {
    const Rows& rows = m.rows();
    const auto wanted = static_cast<PetscInt>(count);
    const PetscInt space = std::max<PetscInt>(2 * wanted, wanted + 15);
    Inverse shell{rows, inverse, done, 2.0 * static_cast<double>(space)};
    OwnedEps eps;
    ask(petsc().EPSCreate(world(), eps.out()), "EPSCreate");
    ask(petsc().EPSSetOperators(eps, k.handle().matrix, m.handle().matrix), "EPSSetOperators");
    ask(petsc().EPSSetProblemType(eps, EPS_GHEP), "EPSSetProblemType");
    ask(petsc().EPSSetType(eps, EPSKRYLOVSCHUR), "EPSSetType");
    use_inverse(eps, shell);
    ask(petsc().EPSSetTarget(eps, 0.0), "EPSSetTarget");
    ask(petsc().EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE), "EPSSetWhichEigenpairs");
    ask(petsc().EPSSetDimensions(eps, wanted, space, PETSC_DEFAULT), "EPSSetDimensions");
    ask(petsc().EPSSetTolerances(eps, tolerance, 500), "EPSSetTolerances");

    OwnedVec first;
    ask(petsc().MatCreateVecs(m.handle().matrix, first.out(), nullptr), "MatCreateVecs");
    copy_to(inverse(m.times(scattered(rows))), first);
    Vec start = first;
    ask(petsc().EPSSetInitialSpace(eps, 1, &start), "EPSSetInitialSpace");

    const PetscErrorCode code = petsc().EPSSolve(eps);
    if (shell.failure) std::rethrow_exception(shell.failure);
    ask(code, "EPSSolve");
    PetscInt found = 0;
    ask(petsc().EPSGetConverged(eps, &found), "EPSGetConverged");
    if (found < wanted)
        throw core::NotConverged(fmt::format("only {} of {} modes converged", found, wanted),
                                 std::numeric_limits<double>::quiet_NaN());

    Eigenpairs pairs{Eigen::VectorXd(count), Eigen::MatrixXd(rows.count(), count)};
    for (PetscInt i = 0; i < wanted; ++i) {
        PetscScalar value = 0;
        ask(petsc().EPSGetEigenpair(eps, i, &value, nullptr, first, nullptr), "EPSGetEigenpair");
        pairs.values(i) = value;
        pairs.vectors.col(i) = copy_of(first, rows);
    }
    fix_signs(pairs.vectors, rows);
    return pairs;
}

}  // namespace faying::sparse
