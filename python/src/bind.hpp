#pragma once
// What the files of the Python module share: arrays in and out, and long work that Ctrl-C can end.
//
// The functions here take and give plain arrays, names and dictionaries; python/faying/*.py makes the typed objects of
// them, checks shapes, and documents. Arrays come in as contiguous doubles (the Python side sees to it) and go out
// without a copy.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <Eigen/Dense>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "faying/io/output.hpp"

namespace faying::python {

namespace py = pybind11;

using Array = py::array_t<double, py::array::c_style>;

inline std::span<const double> span_of(const Array& a) { return {a.data(), std::size_t(a.size())}; }
inline std::vector<double> vector_of(const Array& a) { return {a.data(), a.data() + a.size()}; }
Eigen::VectorXd eigen_vector(const Array& a);
Eigen::MatrixXd eigen_matrix(const Array& a);

/// The vector itself becomes the array's memory.
Array array_of(std::vector<double>&& values);
Array array_of(const Eigen::VectorXd& values);
Array array_of(const Eigen::MatrixXd& values);
/// rows x columns from rows of one length.
Array array_of_rows(const std::vector<std::vector<double>>& rows);

/// What the command line prints: lists of numbers become arrays (null: NaN), everything else what it is.
py::object plain(const nlohmann::json& value);
py::dict columns_of(const io::Table& table);

/// (why an answer is not to be trusted, how far off it is), from a check that throws NotConverged; ("", NaN): it is.
template <class Check>
py::tuple doubt_of(const Check& check) {
    try {
        check();
    } catch (const core::NotConverged& error) {
        return py::make_tuple(py::module_::import("faying.errors").attr("spoken")(error.what()), error.residual);
    }
    return py::make_tuple("", std::numeric_limits<double>::quiet_NaN());
}

/// From construction to destruction Ctrl-C asks solvers to stop (core/stop.hpp). Only on the main thread, where Python
/// hears signals too. Needs the interpreter's lock.
class Interruptible {
 public:
    Interruptible();
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

 private:
    bool active_ = false;
};

/// Runs it without the interpreter's lock; Ctrl-C ends it as KeyboardInterrupt.
template <class Work>
auto long_work(Work&& work) {
    const Interruptible guard;
    const py::gil_scoped_release released;
    return work();
}

void bind_laws(py::module_& m);
void bind_structures(py::module_& m);
void bind_modes(py::module_& m);
void bind_histories(py::module_& m);
void bind_fits(py::module_& m);
void bind_answers(py::module_& m);
void bind_measured(py::module_& m);

}  // namespace faying::python
