#pragma once
// Numbers beside the data of an HDF5 file: sampling rates, as data acquisition systems write them.
//
//     for (const auto& a : number_attributes("run7.h5", {"", "Untitled", "Untitled.ai0"})) a.object, a.name, a.value;

#include <string>
#include <vector>

namespace faying::archive {

struct NumberAttribute {
    std::string object;  ///< dotted name of the data set or group; "": the file
    std::string name;
    double value = 0;
};

/// Of these objects, those that there are; none for a file that is not HDF5. Throws core::BadInput for a damaged one.
std::vector<NumberAttribute> number_attributes(const std::string& path, const std::vector<std::string>& objects);

}  // namespace faying::archive
