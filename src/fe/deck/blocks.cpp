#include "blocks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "faying/core/error.hpp"
#include "faying/io/text_file.hpp"

namespace faying::fe::text {

namespace {

constexpr std::size_t most_files = 10000, deepest = 100;

/// Reads one file after another into one list of blocks.
class BlockReader {
 public:
    BlockReader(Sources& sources, const Loader& load) : sources_(sources), load_(load) {}

    void file(const std::string& path, std::optional<Place> from) {
        if (from && open_.size() >= deepest)
            sources_.refuse(*from, fmt::format("files include each other {} deep", deepest));
        const Index number = open(path, from);
        const std::string name = sources_.names[static_cast<std::size_t>(number)];
        open_.push_back(name);
        scan(number);
        open_.pop_back();
    }

    std::vector<Block> blocks;

 private:
    Index open(const std::string& path, std::optional<Place> from) {
        std::string name = path;
        std::optional<std::string> text;
        if (!from) {
            text = load_(path);
            if (!text) throw core::BadInput(path, fmt::format("cannot be read ({})", std::strerror(errno)));
        } else {
            // Beside the file that includes it; else beside the first file, as solvers run in one folder.
            namespace fs = std::filesystem;
            const fs::path file(path);
            std::vector<std::string> tries = {path};
            if (!file.is_absolute()) {
                const std::string& including = sources_.names[static_cast<std::size_t>(from->file)];
                tries = {(fs::path(including).parent_path() / file).lexically_normal().string(),
                         (fs::path(sources_.names[0]).parent_path() / file).lexically_normal().string()};
            }
            for (const auto& candidate : tries) {
                if (std::find(open_.begin(), open_.end(), candidate) != open_.end())
                    sources_.refuse(*from, fmt::format("includes '{}', which is already being read: a cycle", path));
                text = load_(candidate);
                name = candidate;
                if (text) break;
            }
            if (!text) sources_.refuse(*from, fmt::format("file '{}' cannot be read (looked for {})", path, tries[0]));
        }
        if (sources_.texts.size() >= most_files)
            sources_.refuse(*from, fmt::format("more than {} files are included", most_files));
        sources_.names.push_back(name);
        sources_.texts.push_back(std::move(*text));
        return static_cast<Index>(sources_.names.size() - 1);
    }

    void scan(Index file) {
        std::string_view text = sources_.texts[static_cast<std::size_t>(file)];
        if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);  // byte order mark
        std::size_t position = 0, data_begin = 0;
        Index line = 1, data_line = 1;
        const auto close_data = [&](std::size_t end) {
            if (end > data_begin) add_data({text.substr(data_begin, end - data_begin), {file, data_line}});
        };
        while (position < text.size()) {
            if (!starts_keyword(text, position)) {
                advance(text, position, line);
                continue;
            }
            close_data(position);
            const Place at{file, line};
            const std::size_t begin = position;
            std::string header = take_header(text, position, line, at);
            Block block = parse_header(header, at);
            block.header = {text.substr(begin, position - begin), at};
            data_begin = position;
            data_line = line;
            if (block.name == "INCLUDE")
                include(block);
            else
                add(std::move(block));
        }
        close_data(text.size());
    }

    static bool starts_keyword(std::string_view text, std::size_t position) {
        while (position < text.size() && (text[position] == ' ' || text[position] == '\t')) ++position;
        return position < text.size() && text[position] == '*' &&
               !(position + 1 < text.size() && text[position + 1] == '*');
    }

    static std::string_view advance(std::string_view text, std::size_t& position, Index& line) {
        const std::size_t end = text.find('\n', position);
        const auto whole = text.substr(position, end == std::string_view::npos ? end : end - position);
        position = end == std::string_view::npos ? text.size() : end + 1;
        ++line;
        return whole;
    }

    /// The keyword line with the lines a trailing comma continues it on; comments may stand between.
    std::string take_header(std::string_view text, std::size_t& position, Index& line, Place at) const {
        std::string header(trimmed(advance(text, position, line)));
        while (!header.empty() && header.back() == ',') {
            if (position >= text.size())
                sources_.refuse(at, "the file ends after a comma that continues this keyword line");
            if (starts_keyword(text, position)) break;  // a stray trailing comma
            const auto next = advance(text, position, line);
            if (is_comment(next)) continue;
            if (is_blank(next)) break;
            header += trimmed(next);
        }
        return header;
    }

    Block parse_header(std::string_view header, Place at) const {
        Block block;
        block.at = at;
        std::vector<std::string_view> fields;
        split(header, fields);
        block.written = std::string(trimmed(fields[0]));
        block.name = squeezed(fields[0]).substr(1);
        if (block.name.empty()) sources_.refuse(at, "a keyword is missing after '*'");
        if (std::count(header.begin(), header.end(), '"') % 2 != 0)
            sources_.refuse(at, "a quoted name is not closed on this keyword line");
        for (std::size_t k = 1; k < fields.size(); ++k) {
            if (fields[k].empty()) continue;
            const auto equals = fields[k].find('=');
            Keyword::Parameter p;
            p.name = squeezed(fields[k].substr(0, equals));
            if (equals != std::string_view::npos) p.value = unquoted(fields[k].substr(equals + 1));
            if (std::any_of(block.parameters.begin(), block.parameters.end(),
                            [&](const auto& q) { return q.name == p.name; }))
                sources_.refuse(at, fmt::format("parameter {} is given twice", p.name));
            block.parameters.push_back(std::move(p));
        }
        return block;
    }

    void include(const Block& block) {
        const auto* input = block.find("INPUT");
        if (!input || input->empty()) sources_.refuse(block.at, "*INCLUDE needs INPUT=file");
        if (block.has("PASSWORD")) sources_.refuse(block.at, "encrypted files cannot be read; leave PASSWORD out");
        file(*input, block.at);
    }

    /// Data lines belong to the last keyword, whichever file it stood in.
    void add_data(Segment segment) {
        if (!blocks.empty()) {
            blocks.back().data.push_back(segment);
            return;
        }
        Line line;
        const std::vector<Segment> segments = {segment};
        if (Lines(segments).next(line))
            sources_.refuse(line.at, "text before the first keyword; a deck starts with a keyword such as *HEADING");
    }

    void add(Block block) {
        const auto* input = block.find("INPUT");
        if (input && (block.name == "NODE" || block.name == "ELEMENT" || block.name == "NSET" ||
                      block.name == "ELSET" || block.name == "EQUATION" || block.name == "MPC" ||
                      block.name == "NODALTHICKNESS" || block.name == "SURFACE")) {
            const Index number = open(*input, block.at);
            block.data.push_back({sources_.texts[static_cast<std::size_t>(number)], {number, 1}});
        }
        blocks.push_back(std::move(block));
    }

    Sources& sources_;
    const Loader& load_;
    std::vector<std::string> open_;
};

}  // namespace

const std::string* Block::find(std::string_view parameter) const { return find_parameter(parameters, parameter); }

std::optional<std::string> load_from_disk(const std::string& path) {
    errno = 0;
    if (access(path.c_str(), R_OK) != 0) return {};
    return io::read_text(path);
}

std::vector<Block> read_blocks(Sources& sources, const std::string& path, const Loader& load) {
    BlockReader reader(sources, load);
    reader.file(path, {});
    return std::move(reader.blocks);
}

Keyword keep(const Block& block) {
    Keyword keyword{block.name, block.written, block.parameters, {}, block.at};
    for (const auto& segment : block.data) {
        std::string_view rest = segment.text;
        while (!rest.empty()) {
            const auto end = rest.find('\n');
            const auto line = rest.substr(0, end);
            // A blank data line means something to some keywords, so it stays.
            if (!is_comment(line)) keyword.lines.emplace_back(trimmed(line));
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
    }
    while (!keyword.lines.empty() && keyword.lines.back().empty()) keyword.lines.pop_back();
    return keyword;
}

std::string verbatim(const Block& block) {
    std::string all(block.header.text);
    for (const auto& segment : block.data) all += segment.text;
    if (!all.empty() && all.back() != '\n') all += '\n';
    return all;
}

}  // namespace faying::fe::text
