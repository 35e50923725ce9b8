// Every line the reader refuses, and what it says.

#include "deck_tests.hpp"

namespace {

using namespace faying;
using namespace faying::tests;

struct Case {
    const char* name;
    std::string text;
    std::string message;
};

// Lines 1-21 are the cube where it comes first.
const Case cases[] = {
    {"Empty", "", "deck: there is no keyword in this file; a deck has *NODE, *ELEMENT, .."},
    {"OnlyComments", "** hello\n", "deck: there is no keyword in this file; a deck has *NODE, *ELEMENT, .."},
    {"TextFirst", "\nhello\n*NODE\n",
     "deck:2: text before the first keyword; a deck starts with a keyword such as *HEADING"},
    {"NamelessKeyword", "* \n", "deck:1: a keyword is missing after '*'"},
    {"OpenQuote", "*NSET, NSET=\"A\n", "deck:1: a quoted name is not closed on this keyword line"},
    {"ParameterTwice", "*NODE, NSET=A, NSET=B\n", "deck:1: parameter NSET is given twice"},
    {"CommaAtEnd", "*NODE,", "deck:1: the file ends after a comma that continues this keyword line"},
    {"Parameter", "*PARAMETER\na=1\n", "deck:1: *PARAMETER: parametric decks are not read; write the numbers out"},
    {"Ncopy", "*NCOPY, CHANGE NUMBER=1\n", "deck:1: *NCOPY: copied nodes are not read; write the nodes out"},
    {"LoneElastic", "*ELASTIC\n1,2\n", "deck:1: *ELASTIC: it stands outside a *MATERIAL"},
    {"LoneKinematic", "*KINEMATIC\n", "deck:1: *KINEMATIC: it must follow *COUPLING"},
    {"LoneEndStep", "*END STEP\n", "deck:1: *END STEP: there is no *STEP to end"},
    {"NodeLabel", "*NODE\n1.5,0,0,0\n", "deck:2: node number '1.5' is not a whole number"},
    {"NodeZero", "*NODE\n0,0,0,0\n", "deck:2: node number 0 is not positive"},
    {"NodeText", "*NODE\n1,0,x,0\n", "deck:2: y coordinate 'x' is not a finite number"},
    {"NodeNan", "*NODE\n1,nan,0,0\n", "deck:2: x coordinate 'nan' is not a finite number"},
    {"NodeInfinite", "*NODE\n1,0,0,1e999\n", "deck:2: z coordinate '1e999' is not a finite number"},
    {"NodeHalfNumber", "*NODE\n1,0,0,1.5e", "deck:2: z coordinate '1.5e' is not a finite number"},
    {"NodeLong", "*NODE\n1,0,0,0,0,0,0,0\n", "deck:2: node 1 has 8 fields; at most 7 are allowed"},
    {"NodeCut", "*NODE\n1,0,0,1\n2,0,0", "deck:3: the file is cut short in node 2: 3 fields, 4 on the line before"},
    {"NodeSystem", "*NODE, SYSTEM=X\n", "deck:1: SYSTEM=X is not known; allowed are R, C, S"},
    {"NodeTwice", "*NODE\n1,0,0,1\n1,0,0,2\n", "deck:3: node 1 is already defined at deck:2 with other coordinates"},
    {"SystemCount", "*SYSTEM\n1,2\n", "deck:1: *SYSTEM has 2 values; allowed are 9, 6, 3 or none"},
    {"SystemFlat", "*SYSTEM\n0,0,0,1,0,0\n2,0,0\n",
     "deck:1: *SYSTEM: the points are on one line, or coincide; they must span a plane"},
    {"SystemUpright", "*SYSTEM\n0,0,0,0,0,1\n",
     "deck:1: *SYSTEM: the points are on one line, or coincide; they must span a plane"},
    {"ElementType", "*ELEMENT\n1,1\n", "deck:1: *ELEMENT needs TYPE=.."},
    {"ElementNode", cube + "*ELEMENT, TYPE=C3D4\n2,1,2,3,99\n", "deck:23: node '99' is not defined"},
    {"ElementShort", cube + "*ELEMENT, TYPE=C3D4\n2,1,2,3\n",
     "deck:23: element 2 of type C3D4 has 3 nodes; 4 are needed"},
    {"ElementLong", cube + "*ELEMENT, TYPE=C3D4\n2,1,2,3,4,5\n",
     "deck:23: element 2 of type C3D4 has 5 nodes; 4 are needed"},
    {"ElementCut", cube + "*ELEMENT, TYPE=C3D4\n2,1,2,", "deck:23: element 2 of type C3D4 has 2 nodes; 4 are needed"},
    {"ElementTwice", cube + "*ELEMENT, TYPE=C3D8\n1,2,1,3,4,5,6,7,8\n",
     "deck:23: element 1 is already defined at deck:11 with other data"},
    {"ElementLabel", cube + "*ELEMENT, TYPE=C3D4\nA,1,2,3,4\n", "deck:23: element number 'A' is not a whole number"},
    {"NsetName", "*NSET\n1\n", "deck:1: *NSET needs NSET=.."},
    {"NsetNode", cube + "*NSET, NSET=A\n1, 99\n", "deck:23: node 99 is not defined"},
    {"NsetSet", cube + "*NSET, NSET=A\nNOPE\n", "deck:23: node set 'NOPE' is not defined before this line"},
    {"NsetRange", cube + "*NSET, NSET=A, GENERATE\n5,1,1\n",
     "deck:23: range 5, 1, 1 is empty; first <= last and a positive increment are needed"},
    {"NsetNone", cube + "*NSET, NSET=A, GENERATE\n50,60\n", "deck:23: none of the 11 nodes 50 to 60 is defined"},
    {"NsetHuge", cube + "*NSET, NSET=A, GENERATE\n1,999999999\n",
     "deck:23: 999999999 nodes are asked for; the deck has 8"},
    {"NsetInstance", cube + "*NSET, NSET=A, INSTANCE=I\n1\n", "deck:22: instance 'I' is not defined"},
    {"NsetElset", cube + "*NSET, NSET=A, ELSET=E\n", "deck:22: element set 'E' is not defined; defined are: BODY, ONE"},
    {"ElsetElement", cube + "*ELSET, ELSET=A\n7\n", "deck:23: element 7 is not defined"},
    {"Ngen", "*NODE\n1\n4\n*NGEN\n1,4,2\n", "deck:5: from 1 to 4 by 2 does not come out even"},
    {"NgenCurve", "*NODE\n1\n4\n*NGEN, LINE=C\n1,4\n",
     "deck:4: *NGEN along a curve (LINE=) is not read; straight lines only"},
    {"NfillBias", cube + "*NFILL, BIAS=2\n", "deck:22: *NFILL with BIAS is not read; leave it out"},
    {"Elgen", cube + "*ELGEN\n1,2,100\n", "deck:23: node 101 is not defined"},
    {"SurfaceSet", cube + "*SURFACE, NAME=S\nNOPE, S1\n",
     "deck:23: element set 'NOPE' is not defined; defined are: BODY, ONE"},
    {"SurfaceFace", cube + "*SURFACE, NAME=S\nBODY, S7\n", "deck:23: element 1 of type C3D8 has no face S7"},
    {"SurfaceElement", cube + "*SURFACE, NAME=S\n9, S1\n", "deck:23: element '9' is not defined"},
    {"SurfaceType", cube + "*SURFACE, NAME=S, TYPE=ODD\n",
     "deck:22: surface type 'ODD' is not known; ELEMENT and NODE are read"},
    {"SurfaceTwice", cube + "*SURFACE, NAME=S\nBODY,S1\n*SURFACE, NAME=s\nBODY,S2\n",
     "deck:24: surface 's' is already defined at deck:22"},
    {"SurfaceEmpty", cube + "*SURFACE, NAME=S\n", "deck:22: surface 'S' has no faces"},
    {"SurfaceNodes", cube + "*SURFACE, NAME=S, TYPE=NODE\nNOPE\n",
     "deck:23: 'NOPE' is neither a node nor a node set; node sets: defined are: ALL, TOP"},
    {"TieData", cube + "*TIE, NAME=T\n",
     "deck:22: *TIE without a data line; it takes a slave surface and a master surface"},
    {"TieSurface", cube + "*SURFACE, NAME=S\nBODY,S1\n*TIE, NAME=T\nS, M\n",
     "deck:25: surface 'M' is not defined; defined are: S"},
    {"TieOne", cube + "*SURFACE, NAME=S\nBODY,S1\n*TIE, NAME=T\nS\n",
     "deck:25: *TIE takes a slave surface and a master surface"},
    {"TieMaster", cube + "*SURFACE, NAME=S\nBODY,S1\n*SURFACE, NAME=N, TYPE=NODE\nTOP\n*TIE, NAME=T\nS, N\n",
     "deck:27: master surface 'N' is made of nodes; a tie needs element faces there"},
    {"TieTolerance", cube + "*TIE, POSITION TOLERANCE=-1\n",
     "deck:22: POSITIONTOLERANCE=-1 is not a number of zero or more"},
    {"TieAdjust", cube + "*TIE, ADJUST=MAYBE\n", "deck:22: ADJUST=MAYBE is not known; allowed are YES and NO"},
    {"CouplingKind", cube + "*SURFACE, NAME=S\nBODY,S1\n*COUPLING, REF NODE=1, SURFACE=S\n*BOUNDARY\n",
     "deck:24: *COUPLING must be followed by *KINEMATIC or *DISTRIBUTING"},
    {"CouplingDof", cube + "*SURFACE, NAME=S\nBODY,S1\n*COUPLING, REF NODE=1, SURFACE=S\n*KINEMATIC\n1,7\n",
     "deck:26: degrees of freedom 1 to 7; allowed are 1 to 6, the first not above the last"},
    {"CouplingReference", cube + "*SURFACE, NAME=S\nBODY,S1\n*COUPLING, REF NODE=TOP, SURFACE=S\n*KINEMATIC\n",
     "deck:24: node set 'TOP' has 4 nodes; a reference node is one node"},
    {"RigidReference", cube + "*RIGID BODY, NSET=TOP\n", "deck:22: *RIGID BODY needs REFNODE=.."},
    {"RigidBody", cube + "*RIGID BODY, REF NODE=1\n",
     "deck:22: *RIGID BODY without a body: one of ELSET, NSET, PIN NSET, TIE NSET is needed"},
    {"EquationCount", cube + "*EQUATION\nTOP,1,1\n", "deck:23: number of terms 'TOP' is not a whole number"},
    {"EquationCut", cube + "*EQUATION\n3\n1,1,1,2,1,-1\n", "deck:23: equation ends after 2 of its 3 terms"},
    {"EquationFields", cube + "*EQUATION\n2\n1,1,1,2,1\n",
     "deck:24: equation terms are node, degree of freedom, coefficient; 5 fields for at most 2 terms"},
    {"EquationDof", cube + "*EQUATION\n1\n1,9,1\n", "deck:24: degree of freedom 9; allowed are 1 to 6"},
    {"EquationSets", cube + "*EQUATION\n2\nALL,1,1,TOP,1,1\n",
     "deck:23: node set 'ALL' has 8 nodes and another set of this equation 4; they pair up one to one"},
    {"EquationFirst", cube + "*EQUATION\n2\n1,1,1,TOP,1,1\n",
     "deck:23: the first term of an equation names one node and another term a set of several; the first must be a set "
     "too"},
    {"EquationZero", cube + "*EQUATION\n2\n1,1,0,2,1,1\n",
     "deck:23: the first coefficient of an equation must not be zero"},
    {"Mpc", cube + "*MPC\nSLIDER,1,2\n", "deck:23: MPC type 'SLIDER' is not known; allowed are BEAM, TIE, PIN, LINK"},
    {"MpcPairs", cube + "*MPC\nTIE,ALL,TOP\n", "deck:23: MPC pairs 8 nodes with 4; one to one, or all to one"},
    {"MpcSelf", cube + "*MPC\nTIE,1,1\n", "deck:23: an MPC ties a node to itself"},
    {"ElasticShort", "*MATERIAL, NAME=M\n*ELASTIC\n210\n", "deck:2: *ELASTIC has 1 values; 2 are needed"},
    {"ElasticSign", "*MATERIAL, NAME=M\n*ELASTIC\n-1,0.3\n", "deck:2: Young's modulus -1 is not positive"},
    {"ElasticPoisson", "*MATERIAL, NAME=M\n*ELASTIC\n1,0.6\n", "deck:2: Poisson's ratio 0.6 is outside (-1, 0.5]"},
    {"Density", "*MATERIAL, NAME=M\n*DENSITY\n-1\n", "deck:2: density -1 is negative"},
    {"MaterialTwice", cube + "*MATERIAL, NAME=steel\n", "deck:22: material 'steel' is already defined at deck:12"},
    {"SectionMaterial", cube + "*SOLID SECTION, ELSET=ONE, MATERIAL=TIN\n", "deck:22: material 'TIN' is not defined"},
    {"SectionTwice", cube + "*SOLID SECTION, ELSET=ONE, MATERIAL=STEEL\n",
     "deck:22: element 1 already has the section of deck:17"},
    {"SectionSet", cube + "*SOLID SECTION, ELSET=NO, MATERIAL=STEEL\n",
     "deck:22: element set 'NO' is not defined; defined are: BODY, ONE"},
    {"Boundary", cube + "*BOUNDARY\n1, CLAMPED\n",
     "deck:23: boundary 'CLAMPED' is not known; allowed are degrees of freedom 1 to 6, ENCASTRE, PINNED, XSYMM, YSYMM, "
     "ZSYMM, XASYMM, YASYMM, ZASYMM"},
    {"BoundaryDof", cube + "*BOUNDARY\n1,3,2\n",
     "deck:23: degrees of freedom 3 to 2; allowed are 1 to 6, the first not above the last"},
    {"BoundarySet", cube + "*BOUNDARY\nNOPE,1\n",
     "deck:23: 'NOPE' is neither a node nor a node set; node sets: defined are: ALL, TOP"},
    {"Cload", cube + "*STEP\n*STATIC\n*CLOAD\n1,8,1.\n*END STEP\n", "deck:25: degree of freedom 8; allowed are 1 to 6"},
    {"StepOpen", cube + "*STEP\n*STATIC\n", "deck:22: the file ends inside this *STEP; *END STEP is missing"},
    {"StepInStep", cube + "*STEP\n*STATIC\n*STEP\n*END STEP\n", "deck:22: this *STEP has no *END STEP"},
    {"PartOpen", "*PART, NAME=P\n*NODE\n1\n", "deck:1: the file ends inside this *PART; *END PART is missing"},
    {"PartInPart", "*PART, NAME=P\n*PART, NAME=Q\n", "deck:1: this *PART has no *END PART"},
    {"PartTwice", "*PART, NAME=P\n*END PART\n*PART, NAME=p\n*END PART\n", "deck:3: part 'p' is already defined"},
    {"PartName", "*PART\n", "deck:1: *PART needs NAME=.."},
    {"AssemblyOpen", "*ASSEMBLY, NAME=A\n*NODE\n1\n",
     "deck:1: the file ends inside this *ASSEMBLY; *END ASSEMBLY is missing"},
    {"AssemblyStep", "*ASSEMBLY, NAME=A\n*STEP\n*END STEP\n", "deck:1: this *ASSEMBLY has no *END ASSEMBLY"},
    {"InstancePart", "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n*END ASSEMBLY\n",
     "deck:2: part 'P' is not defined"},
    {"InstanceTurn",
     "*PART, NAME=P\n*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n0,0,0\n1,2,3,4\n*END INSTANCE\n*END "
     "ASSEMBLY\n",
     "deck:6: a rotation takes two points and an angle: 7 values, not 4"},
    {"InstanceAxis",
     "*PART, NAME=P\n*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n0,0,0\n1,2,3,1,2,3,4\n*END "
     "INSTANCE\n*END ASSEMBLY\n",
     "deck:6: the two points of the rotation axis coincide"},
};

class DeckRefusal : public testing::TestWithParam<Case> {};

TEST_P(DeckRefusal, SaysWhereAndWhat) {
    EXPECT_EQ(refusal(GetParam().text), GetParam().message);
    EXPECT_EQ(GetParam().message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, DeckRefusal, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

/// Cutting a deck anywhere either reads or refuses with a line; it never falls over.
TEST(DeckRefusals, EveryPrefixIsReadOrRefused) {
    const std::string whole = *[] {
        static std::string text;
        std::FILE* file = std::fopen(deck_path("assembly.inp").c_str(), "rb");
        for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
        std::fclose(file);
        return &text;
    }();
    for (std::size_t n = 0; n < whole.size(); ++n) {
        const std::string said = refusal(whole.substr(0, n));
        if (!said.empty()) {
            EXPECT_TRUE(said.starts_with("deck:")) << said;
        }
    }
}

}  // namespace
