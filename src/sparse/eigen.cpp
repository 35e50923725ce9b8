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
    ask(VecGetArrayRead(x, &data), "VecGetArrayRead");
    Eigen::MatrixXd local = Eigen::Map<const Eigen::VectorXd>(data, rows.count());
    ask(VecRestoreArrayRead(x, &data), "VecRestoreArrayRead");
    return local;
}

void copy_to(const Eigen::MatrixXd& local, Vec y) {
    PetscScalar* data = nullptr;
    ask(VecGetArrayWrite(y, &data), "VecGetArrayWrite");
    Eigen::Map<Eigen::VectorXd>(data, local.rows()) = local.col(0);
    ask(VecRestoreArrayWrite(y, &data), "VecRestoreArrayWrite");
}

PetscErrorCode apply_inverse(PC pc, Vec x, Vec y) {
    Inverse* inverse = nullptr;
    PCShellGetContext(pc, &inverse);
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
    ask(EPSGetST(eps, &st), "EPSGetST");
    ask(STSetType(st, STSINVERT), "STSetType");
    ask(STGetKSP(st, &ksp), "STGetKSP");
    ask(KSPSetType(ksp, KSPPREONLY), "KSPSetType");
    ask(KSPGetPC(ksp, &pc), "KSPGetPC");
    ask(PCSetType(pc, PCSHELL), "PCSetType");
    ask(PCShellSetContext(pc, &inverse), "PCShellSetContext");
    ask(PCShellSetApply(pc, apply_inverse), "PCShellSetApply");
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
    ask(EPSCreate(PETSC_COMM_WORLD, eps.out()), "EPSCreate");
    ask(EPSSetOperators(eps, k.handle().matrix, m.handle().matrix), "EPSSetOperators");
    ask(EPSSetProblemType(eps, EPS_GHEP), "EPSSetProblemType");
    ask(EPSSetType(eps, EPSKRYLOVSCHUR), "EPSSetType");
    use_inverse(eps, shell);
    ask(EPSSetTarget(eps, 0.0), "EPSSetTarget");
    ask(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE), "EPSSetWhichEigenpairs");
    ask(EPSSetDimensions(eps, wanted, space, PETSC_DEFAULT), "EPSSetDimensions");
    ask(EPSSetTolerances(eps, tolerance, 500), "EPSSetTolerances");

    OwnedVec first;
    ask(MatCreateVecs(m.handle().matrix, first.out(), nullptr), "MatCreateVecs");
    copy_to(inverse(m.times(scattered(rows))), first);
    Vec start = first;
    ask(EPSSetInitialSpace(eps, 1, &start), "EPSSetInitialSpace");

    const PetscErrorCode code = EPSSolve(eps);
    if (shell.failure) std::rethrow_exception(shell.failure);
    ask(code, "EPSSolve");
    PetscInt found = 0;
    ask(EPSGetConverged(eps, &found), "EPSGetConverged");
    if (found < wanted)
        throw core::NotConverged(fmt::format("only {} of {} modes converged", found, wanted),
                                 std::numeric_limits<double>::quiet_NaN());

    Eigenpairs pairs{Eigen::VectorXd(count), Eigen::MatrixXd(rows.count(), count)};
    for (PetscInt i = 0; i < wanted; ++i) {
        PetscScalar value = 0;
        ask(EPSGetEigenpair(eps, i, &value, nullptr, first, nullptr), "EPSGetEigenpair");
        pairs.values(i) = value;
        pairs.vectors.col(i) = copy_of(first, rows);
    }
    fix_signs(pairs.vectors, rows);
    return pairs;
}

}  // namespace faying::sparse
