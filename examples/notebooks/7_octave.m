% Faying from Octave or MATLAB: matrices go in as a .mat file, a backbone comes back as one.
%
%     octave-cli 7_octave.m            with `faying` on PATH, or its place in the environment variable FAYING

tool = getenv("FAYING");
if isempty(tool), tool = "faying"; end
folder = tempname();
mkdir(folder);
here = cd(folder);

% 1. Your matrices, and a file that says where the joint is.
M = 10 * eye(3);
K = [18 -9 0; -9 18 -9; 0 -9 9];
save("-v7", "chain.mat", "M", "K");
file = fopen("model.toml", "w");
fprintf(file, "%s\n", '[structure]', 'file = "chain.mat"', 'mass = "M"', 'stiffness = "K"', ...
  'damping = { ratio = 1e-4 }', '[[joint]]', 'name = "lap"', 'law = "iwan4"', ...
  'parameters = { FS = 10, KT = 1, chi = -0.5, beta = 5 }', 'dofs = [2, 3]');
fclose(file);

% 2. The backbone of its first mode, as a table and as a .mat file.
run_tool = @(words) system([tool " " words " > faying.txt"]);
status = run_tool("backbone model.toml --mode 1 --amplitudes 1:200:20 --csv backbone.csv");
assert(status == 0, fileread("faying.txt"));
assert(run_tool("convert backbone.csv backbone.mat") == 0);
bone = load("backbone.mat");

% 3. Checks that need no Faying: the stuck frequency is the softest the joint allows at small amplitude, and friction
%    dissipates what it must.
stuck = sqrt(eig(K + [0 0 0; 0 1 -1; 0 -1 1], M));
assert(abs(bone.omega(1) / stuck(1) - 1) < 1e-3);
assert(all(diff(bone.omega(:)) <= 1e-12));               % the joint softens
slope = diff(log(bone.dissipation(:))) ./ diff(log(bone.q(:)));
assert(abs(slope(1) - 2.5) < 0.05);                      % microslip: D ~ q^(chi + 3)

% 4. Numbers of any command, as a struct.
assert(run_tool("modes model.toml --about stuck --json") == 0);
told = jsondecode(fileread("faying.txt"));
assert(max(abs(told.result.omega ./ stuck - 1)) < 1e-12);

printf("q from %g to %g, omega from %.6f to %.6f rad/s\n", bone.q(1), bone.q(end), bone.omega(1), bone.omega(end));
cd(here);
confirm_recursive_rmdir(false);
rmdir(folder, "s");
