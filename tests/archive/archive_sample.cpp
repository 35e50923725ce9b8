// Writes one archive as three files, sample.h5, sample.mat and sample73.mat, for archive_python.py to read.

#include "faying/archive/archive.hpp"

int main() {
    using namespace faying::archive;
    Eigen::MatrixXd dense(2, 3);
    dense << 1, 2, 3, 4, 5, 6.5;
    Eigen::SparseMatrix<double> sparse(3, 2);
    sparse.insert(0, 0) = 10;
    sparse.insert(2, 1) = -0.25;
    Archive patches;
    patches.set("name", std::vector<std::string>{"left", "µ-joint"});
    patches.set("area", Eigen::VectorXd(Eigen::VectorXd::LinSpaced(2, 0.5, 1.5)), "m2");
    Archive archive;
    archive.set("M", dense, "kg");
    archive.set("K", sparse, "N/m");
    archive.set("v", Eigen::VectorXd(Eigen::VectorXd::LinSpaced(4, 0, 3)));
    archive.set("x", 0.1);
    archive.set("note", "Schraube Ø8");
    archive.set("patches", patches);
    write_archive("sample.h5", archive);
    write_archive("sample.mat", archive);
    write_archive("sample73.mat", archive, MatlabVersion::v7_3);
}
