// Read, Write, Edit, MultiEdit and NotebookEdit against what the real ones answered.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "workspace.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;
using testing::result_of;
using testing::text_of;
using testing::Workspace;

constexpr const char* kFour = "line 1\nline 2\nold text here\nline 4\n";

std::string wrapped(const std::string& text) {
  return "<tool_use_error>" + text + "</tool_use_error>";
}

Json file(const Workspace& work, const std::string& name) {
  return Json::object({{"file_path", work.path(name)}});
}
Json edit(const Workspace& work, const std::string& name, const std::string& from,
          const std::string& to) {
  return Json::object({{"file_path", work.path(name)}, {"old_string", from}, {"new_string", to}});
}

// ---- Read
// ----------------------------------------------------------------------------------------

TEST(Read, NumbersLines) {
  Workspace work;
  work.write("a.txt", kFour);
  const ToolOutput out = work.call("Read", file(work, "a.txt"));
  EXPECT_EQ(text_of(out), "1\tline 1\n2\tline 2\n3\told text here\n4\tline 4\n5\t");
  EXPECT_EQ(result_of(out), Json::object({{"type", "text"},
                                          {"file", Json::object({{"filePath", work.path("a.txt")},
                                                                 {"content", kFour},
                                                                 {"numLines", 5},
                                                                 {"startLine", 1},
                                                                 {"totalLines", 5}})}}));
  Json range = file(work, "a.txt");
  range.set("offset", "2");  // numbers may come as strings
  range.set("limit", 2);
  EXPECT_EQ(text_of(work.call("Read", range)), "2\tline 2\n3\told text here");
  range.set("offset", 100);
  EXPECT_EQ(text_of(work.call("Read", range)),
            "<system-reminder>Warning: the file exists but is shorter than the provided offset "
            "(100). The file has 5 lines.</system-reminder>");
}

TEST(Read, SaysWhatItCannotRead) {
  Workspace work;
  work.write("e.txt", "");
  work.write("d/x", "");
  work.write("bin.dat", std::string("\0\1\2\xFF", 4));
  EXPECT_EQ(
      text_of(work.call("Read", file(work, "e.txt"))),
      "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>");
  EXPECT_EQ(text_of(work.call("Read", file(work, "none.txt"))),
            "File does not exist. Note: your current working directory is " + work.path() + ".");
  EXPECT_EQ(text_of(work.call("Read", file(work, "d"))),
            "EISDIR: illegal operation on a directory, read '" + work.path("d") + "'");
  EXPECT_EQ(
      text_of(work.call("Read", file(work, "bin.dat"))),
      wrapped("This tool cannot read binary files. The file appears to be a binary .dat file. "
              "Use a skill for this file type if one is available, or a shell command or "
              "script that can read the format."));
}

TEST(Read, BoundsLargeFiles) {
  Workspace work;
  std::string big;
  for (int i = 0; i < 20000; ++i) big += "line " + std::to_string(i) + " of the big file\n";
  work.write("big.txt", big);
  Json input = file(work, "big.txt");
  EXPECT_TRUE(text_of(work.call("Read", input))
                  .starts_with("File content (516.5KB) exceeds maximum allowed size (256KB). Use "
                               "offset and limit parameters"));
  input.set("limit", 2);
  EXPECT_EQ(text_of(work.call("Read", input)),
            "1\tline 0 of the big file\n2\tline 1 of the big file");
  EXPECT_EQ(result_of(work.call("Read", input))["file"]["totalLines"].as_int(), 20001);
  input.erase("limit");
  input.set("allow_large", true);
  EXPECT_TRUE(text_of(work.call("Read", input)).ends_with("20001\t"));

  // So large that it is never in memory as a whole.
  std::string huge;
  while (huge.size() < (std::size_t{6} << 20)) huge += big;
  work.write("huge.txt", huge);
  Json part = file(work, "huge.txt");
  part.set("offset", 20001);
  part.set("limit", 1);
  EXPECT_EQ(text_of(work.call("Read", part)), "20001\tline 0 of the big file");
  EXPECT_TRUE(text_of(work.call("Read", file(work, "huge.txt"))).starts_with("File content (6"));
}

TEST(Read, ShowsOtherForms) {
  Workspace work;
  work.write("crlf.txt", "a\r\nb\r\n");
  work.write("bom.txt", "\xEF\xBB\xBFhi\n");
  work.write("u16.txt", std::string("\xFF\xFEh\0i\0\n\0", 8));
  EXPECT_EQ(text_of(work.call("Read", file(work, "crlf.txt"))), "1\ta\n2\tb\n3\t");
  EXPECT_EQ(text_of(work.call("Read", file(work, "bom.txt"))), "1\thi\n2\t");
  EXPECT_EQ(text_of(work.call("Read", file(work, "u16.txt"))), "1\thi\n2\t");
}

TEST(Read, ShowsPictures) {
  Workspace work;
  const std::string png("\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x0A\0\0\0\x14\x08\x02\0\0\0\x02PX\xEA",
                        33);
  work.write("i.png", png);
  const ToolOutput out = work.call("Read", file(work, "i.png"));
  const Json shown = result_of(out)["file"];
  EXPECT_EQ(shown["type"].as_string(), "image/png");
  EXPECT_EQ(shown["originalSize"].as_int(), 33);
  EXPECT_EQ(shown["dimensions"]["originalWidth"].as_int(), 10);
  EXPECT_EQ(shown["dimensions"]["displayHeight"].as_int(), 20);
  const auto& blocks = std::get<std::vector<ContentBlock>>(out.content);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<ImageBlock>(blocks[0]));
  work.write("bad.png", "nope");
  EXPECT_TRUE(
      text_of(work.call("Read", file(work, "bad.png")))
          .starts_with("File has an image extension but its content is not a valid "
                       "PNG/JPEG/GIF/WebP. Detected: unrecognized bytes (hex: 6e 6f 70 65)."));
  work.write("empty.png", "");
  EXPECT_EQ(text_of(work.call("Read", file(work, "empty.png"))),
            "Image file is empty: " + work.path("empty.png"));
}

TEST(Read, GivesPdfsWhole) {
  Workspace work;
  work.write("p.pdf", "%PDF-1.4\n");
  const ToolOutput out = work.call("Read", file(work, "p.pdf"));
  EXPECT_EQ(result_of(out)["type"].as_string(), "pdf");
  const auto& blocks = std::get<std::vector<ContentBlock>>(out.content);
  EXPECT_EQ(std::get<TextBlock>(blocks.at(0)).text,
            "PDF file read: " + work.path("p.pdf") + " (9 bytes)");
  EXPECT_TRUE(std::holds_alternative<DocumentBlock>(blocks.at(1)));
  Json pages = file(work, "p.pdf");
  pages.set("pages", "x");
  EXPECT_TRUE(text_of(work.call("Read", pages))
                  .starts_with("<tool_use_error>Invalid pages parameter: \"x\"."));
}

/// As many empty pages as asked for, without a table of where its objects are: readers rebuild it.
std::string pdf_of(int pages) {
  std::string kids;
  std::string objects;
  for (int i = 0; i < pages; ++i) {
    const std::string number = std::to_string(i + 3);
    kids += number + " 0 R ";
    objects += number + " 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>> endobj\n";
  }
  return "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[" +
         kids + "]/Count " + std::to_string(pages) + ">> endobj\n" + objects +
         "trailer <</Root 1 0 R>>\n%%EOF\n";
}

TEST(Read, GivesPagesOfAPdfAsPictures) {
  if (std::system("pdftoppm -v 2>/dev/null") != 0) GTEST_SKIP() << "poppler is not installed";
  Workspace work;
  work.write("p.pdf", pdf_of(25));
  const auto read = [&](const char* pages) {
    Json input = file(work, "p.pdf");
    input.set("pages", pages);
    return work.call("Read", input);
  };
  const ToolOutput two = read("2-3");
  ASSERT_FALSE(two.is_error) << text_of(two);
  const auto& blocks = std::get<std::vector<ContentBlock>>(two.content);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_TRUE(std::get<TextBlock>(blocks[0]).text.starts_with("PDF pages extracted: 2 page(s)"));
  EXPECT_TRUE(std::holds_alternative<ImageBlock>(blocks[2]));
  EXPECT_EQ(result_of(two)["type"].as_string(), "parts");
  EXPECT_EQ(result_of(two)["file"]["count"].as_int(), 2);
  // At most twenty at a time.
  EXPECT_EQ(result_of(read("1-25"))["file"]["count"].as_int(), 20);
  EXPECT_TRUE(read("30").is_error);
  work.write("p.pdf", "%PDF-1.4\nnothing of the kind");
  EXPECT_TRUE(text_of(read("1")).starts_with("pdftoppm failed: "));
}

TEST(ReadHostile, RefusesWhatNeverEnds) {
  Workspace work;
  ASSERT_EQ(::mkfifo(work.path("fifo").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", work.path("z"));
  fs::create_symlink("/nowhere", work.path("dangling"));
  fs::create_symlink("loop", work.path("loop"));
  const auto refusal = [](const std::string& name) {
    return "Cannot read '" + name +
           "': this path names a device or process file that this tool does not read.";
  };
  EXPECT_EQ(text_of(work.call("Read", Json::object({{"file_path", "/dev/zero"}}))),
            wrapped(refusal("/dev/zero")));
  EXPECT_EQ(text_of(work.call("Read", Json::object({{"file_path", "/dev/../dev/./zero"}}))),
            wrapped(refusal("/dev/../dev/./zero")));
  EXPECT_EQ(text_of(work.call("Read", Json::object({{"file_path", "/proc/self/environ"}}))),
            wrapped(refusal("/proc/self/environ")));
  EXPECT_EQ(text_of(work.call("Read", file(work, "z"))), refusal(work.path("z")));
  EXPECT_EQ(text_of(work.call("Read", file(work, "fifo"))), refusal(work.path("fifo")));
  EXPECT_TRUE(work.call("Read", file(work, "dangling")).is_error);
  EXPECT_TRUE(work.call("Read", file(work, "loop")).is_error);
  EXPECT_FALSE(work.call("Read", Json::object({{"file_path", "/dev/null"}})).is_error);
  EXPECT_TRUE(work.call("Read", Json::object({{"file_path", ""}})).is_error);
}

// ---- Write
// ---------------------------------------------------------------------------------------

TEST(Write, CreatesAndUpdates) {
  Workspace work;
  Json input = file(work, "deep/er/new.txt");
  input.set("content", "Hello World\nLine 2\n");
  const ToolOutput made = work.call("Write", input);
  EXPECT_EQ(text_of(made),
            "File created successfully at: " + work.path("deep/er/new.txt") +
                " (file state is current in your context \u2014 no need to Read it back)");
  EXPECT_EQ(result_of(made), Json::object({{"type", "create"},
                                           {"filePath", work.path("deep/er/new.txt")},
                                           {"content", "Hello World\nLine 2\n"},
                                           {"structuredPatch", Json::array()},
                                           {"originalFile", Json()},
                                           {"userModified", false}}));
  work.write("a.txt", kFour);
  fs::permissions(work.path("a.txt"), fs::perms(0640));
  Json over = file(work, "a.txt");
  over.set("content", "line 1\nnew text\nline 4\n");
  const Json result = result_of(work.call("Write", over));
  EXPECT_EQ(result["type"].as_string(), "update");
  EXPECT_EQ(result["structuredPatch"].dump(),
            R"([{"oldStart":1,"oldLines":4,"newStart":1,"newLines":3,"lines":)"
            R"([" line 1","-line 2","-old text here","+new text"," line 4"]}])");
  EXPECT_EQ(work.read("a.txt"), "line 1\nnew text\nline 4\n");
  EXPECT_EQ(fs::status(work.path("a.txt")).permissions(), fs::perms(0640));
}

TEST(Write, RefusesBadTargets) {
  Workspace work;
  work.write("a.txt", "one\n");
  work.write("d/x", "");
  work.write("n.ipynb", "{}");
  fs::create_symlink(work.path("a.txt"), work.path("link.txt"));
  ASSERT_EQ(::mkfifo(work.path("fifo").c_str(), 0600), 0);
  const auto write = [&](const std::string& name) {
    Json input = file(work, name);
    input.set("content", "x");
    return text_of(work.call("Write", input));
  };
  EXPECT_EQ(write("d"), wrapped(work.path("d") + " is a directory, not a file. To create a file "
                                                 "inside it, include the file name in file_path."));
  EXPECT_EQ(write("a.txt/b"),
            wrapped("Error calling tool (Write): ENOTDIR: not a directory, stat '" +
                    work.path("a.txt/b") + "'"));
  EXPECT_EQ(write("n.ipynb"),
            wrapped("File has not been read yet. Read it first before writing to it."));
  EXPECT_EQ(write("link.txt"), "Refusing to write " + work.path("link.txt") +
                                   ": it is a symbolic link. Write to the link's target path "
                                   "instead: " +
                                   work.path("a.txt") + ".");
  EXPECT_NE(write("fifo").find("device"), std::string::npos);
  EXPECT_EQ(work.read("a.txt"), "one\n");
}

// ---- Edit
// ----------------------------------------------------------------------------------------

TEST(Edit, ChangesAFileThatWasRead) {
  Workspace work;
  work.write("a.txt", kFour);
  work.call("Read", file(work, "a.txt"));
  const ToolOutput out = work.call("Edit", edit(work, "a.txt", "old text here", "new text here"));
  EXPECT_EQ(text_of(out), "The file " + work.path("a.txt") +
                              " has been updated successfully. (file state is current in your "
                              "context \u2014 no need to Read it back)");
  EXPECT_EQ(result_of(out).dump(),
            R"({"filePath":")" + work.path("a.txt") +
                R"(","oldString":"old text here","newString":"new text here","originalFile":)"
                R"("line 1\nline 2\nold text here\nline 4\n","structuredPatch":[{"oldStart":1,)"
                R"("oldLines":4,"newStart":1,"newLines":4,"lines":[" line 1"," line 2",)"
                R"("-old text here","+new text here"," line 4"]}],"userModified":false,)"
                R"("replaceAll":false})");
}

TEST(Edit, SaysWhatTheModelDoesNotKnow) {
  Workspace work;
  work.write("a.txt", kFour);
  const ToolOutput unread = work.call("Edit", edit(work, "a.txt", "old text here", "new"));
  EXPECT_EQ(text_of(unread), "The file " + work.path("a.txt") + " has been updated successfully.");
  EXPECT_TRUE(result_of(unread)["contentNotInModelContext"].as_bool());

  work.call("Read", file(work, "a.txt"));
  work.write("a.txt", "line 1\nold text here\nchanged\n");
  fs::last_write_time(work.path("a.txt"), fs::file_time_type::clock::now() + std::chrono::hours(1));
  const ToolOutput stale = work.call("Edit", edit(work, "a.txt", "old text here", "new"));
  EXPECT_NE(text_of(stale).find("(note: the file had been modified on disk since you last read it"),
            std::string::npos);
  EXPECT_TRUE(result_of(stale)["staleRecovered"].as_bool());
  EXPECT_TRUE(result_of(stale)["contentNotInModelContext"].as_bool());
}

TEST(Edit, ReplacesAll) {
  Workspace work;
  std::string text = "foo\n";
  for (int i = 0; i < 20; ++i) text += "l" + std::to_string(i) + "\n";
  work.write("b.txt", text + "foo\n");
  Json input = edit(work, "b.txt", "foo", "bar");
  input.set("replace_all", true);
  const ToolOutput out = work.call("Edit", input);
  EXPECT_TRUE(text_of(out).find("All occurrences were successfully replaced.") !=
              std::string::npos);
  EXPECT_EQ(result_of(out)["structuredPatch"].dump(),
            R"([{"oldStart":1,"oldLines":4,"newStart":1,"newLines":4,"lines":["-foo","+bar"," l0",)"
            R"(" l1"," l2"]},{"oldStart":19,"oldLines":4,"newStart":19,"newLines":4,"lines":)"
            R"([" l17"," l18"," l19","-foo","+bar"]}])");
}

TEST(Edit, CreatesFiles) {
  Workspace work;
  const Json made = result_of(work.call("Edit", edit(work, "new/deep/c.txt", "", "created")));
  EXPECT_EQ(made["structuredPatch"].dump(),
            R"([{"oldStart":1,"oldLines":0,"newStart":1,"newLines":1,"lines":["+created",)"
            R"("\\ No newline at end of file"]}])");
  EXPECT_EQ(made["originalFile"].as_string("?"), "");
  EXPECT_EQ(work.read("new/deep/c.txt"), "created");
}

TEST(Edit, Refuses) {
  Workspace work;
  work.write("a.txt", "one\ndup\ndup\n");
  work.write("n.ipynb", "{}");
  const auto said = [&](const std::string& name, const std::string& from, const std::string& to) {
    return text_of(work.call("Edit", edit(work, name, from, to)));
  };
  EXPECT_EQ(said("a.txt", "zzz", "y"),
            wrapped("String to replace not found in file.\nString: zzz"));
  EXPECT_TRUE(
      said("a.txt", "dup", "y").starts_with("<tool_use_error>Found 2 matches of the string"));
  EXPECT_EQ(said("a.txt", "one", "one"),
            wrapped("No changes to make: old_string and new_string are exactly the same."));
  EXPECT_EQ(said("a.txt", "", "y"), wrapped("Cannot create new file - file already exists."));
  EXPECT_EQ(
      said("none.txt", "a", "b"),
      wrapped("File does not exist. Note: your current working directory is " + work.path() + "."));
  EXPECT_EQ(said("n.ipynb", "a", "b"),
            wrapped("File is a Jupyter Notebook. Use the NotebookEdit to edit this file."));
  fs::create_symlink(work.path("a.txt"), work.path("link.txt"));
  EXPECT_TRUE(said("link.txt", "one", "uno").starts_with("Refusing to write"));
  EXPECT_EQ(work.read("a.txt"), "one\ndup\ndup\n");
}

TEST(Edit, KeepsTheFormOfTheFile) {
  Workspace work;
  work.write("crlf.txt", "a\r\nb\r\nc\r\n");
  work.call("Edit", edit(work, "crlf.txt", "a\nb", "x\ny"));
  EXPECT_EQ(work.read("crlf.txt"), "x\r\ny\r\nc\r\n");
  work.write("u16.txt", std::string("\xFF\xFEh\0i\0\n\0", 8));
  work.call("Edit", edit(work, "u16.txt", "hi", "ho"));
  EXPECT_EQ(work.read("u16.txt"), std::string("\xFF\xFEh\0o\0\n\0", 8));
  // Curly quotes stay curly, a deleted line takes its end along.
  work.write("q.txt", "say \u201Chi\u201D\n");
  EXPECT_EQ(
      result_of(work.call("Edit", edit(work, "q.txt", "say \"hi\"", "say \"ho\"")))["oldString"]
          .as_string(),
      "say \u201Chi\u201D");
  EXPECT_EQ(work.read("q.txt"), "say \u201Cho\u201D\n");
  work.write("l.txt", "l1\nl2\nl3\n");
  work.call("Edit", edit(work, "l.txt", "l2", ""));
  EXPECT_EQ(work.read("l.txt"), "l1\nl3\n");
}

TEST(MultiEdit, DoesAllOrNothing) {
  Workspace work;
  work.write("a.txt", "one\ntwo\n");
  const auto steps = [&](const std::string& last) {
    Json input = file(work, "a.txt");
    input.set("edits", Json::array({Json::object({{"old_string", "one"}, {"new_string", "1"}}),
                                    Json::object({{"old_string", last}, {"new_string", "2"}})}));
    return input;
  };
  EXPECT_TRUE(work.call("MultiEdit", steps("three")).is_error);
  EXPECT_EQ(work.read("a.txt"), "one\ntwo\n");
  EXPECT_EQ(result_of(work.call("MultiEdit", steps("two")))["edits"].items().size(), 2u);
  EXPECT_EQ(work.read("a.txt"), "1\n2\n");
}

// ---- notebooks
// -----------------------------------------------------------------------------------

constexpr const char* kNotebook =
    R"({"cells":[{"cell_type":"code","id":"c1","metadata":{},"execution_count":3,"outputs":[)"
    R"({"output_type":"stream","name":"stdout","text":["hi\n","there"]},)"
    R"({"output_type":"error","ename":"E","evalue":"v","traceback":["t1","t2"]}],)"
    R"("source":["print(1)\n","x"]},{"cell_type":"markdown","id":"c2","metadata":{},)"
    R"("source":["# T"]}],"metadata":{"language_info":{"name":"python"}},"nbformat":4,)"
    R"("nbformat_minor":5})";

TEST(Notebook, IsShownWithItsOutputs) {
  Workspace work;
  work.write("n.ipynb", kNotebook);
  const ToolOutput out = work.call("Read", file(work, "n.ipynb"));
  const auto& blocks = std::get<std::vector<ContentBlock>>(out.content);
  EXPECT_EQ(std::get<TextBlock>(blocks.at(0)).text,
            "<cell id=\"c1\">print(1)\nx</cell id=\"c1\">\n\nhi\nthere\n\nE: v\nt1\nt2\n<cell "
            "id=\"c2\"><cell_type>markdown</cell_type># T</cell id=\"c2\">");
  EXPECT_EQ(result_of(out)["file"]["cells"][0].dump(),
            R"({"cellType":"code","source":"print(1)\nx","execution_count":3,"cell_id":"c1",)"
            R"("language":"python","outputs":[{"output_type":"stream","text":"hi\nthere"},)"
            R"({"output_type":"error","text":"E: v\nt1\nt2"}]})");
  work.write("bad.ipynb", "{");
  EXPECT_TRUE(text_of(work.call("Read", file(work, "bad.ipynb")))
                  .starts_with("Notebook file is not valid JSON"));
}

TEST(Notebook, IsEditedByCells) {
  Workspace work;
  work.write("n.ipynb", kNotebook);
  Json input = Json::object(
      {{"notebook_path", work.path("n.ipynb")}, {"cell_id", "c1"}, {"new_source", "print(2)"}});
  EXPECT_EQ(text_of(work.call("NotebookEdit", input)),
            wrapped("File has not been read yet. Read it first before writing to it."));
  work.call("Read", file(work, "n.ipynb"));
  const ToolOutput replaced = work.call("NotebookEdit", input);
  EXPECT_EQ(text_of(replaced), "Updated cell c1 with print(2)");
  EXPECT_EQ(result_of(replaced)["old_source"].as_string(), "print(1)\nx");
  const Json cell = Json::parse(work.read("n.ipynb")).value()["cells"][0];
  EXPECT_EQ(
      cell.dump(),
      R"cell({"cell_type":"code","id":"c1","metadata":{},"execution_count":null,"outputs":[],)cell"
      R"cell("source":"print(2)"})cell");

  input.set("edit_mode", "insert");
  EXPECT_EQ(text_of(work.call("NotebookEdit", input)),
            wrapped("Cell type is required when using edit_mode=insert."));
  input.set("cell_type", "markdown");
  const Json inserted = result_of(work.call("NotebookEdit", input));
  EXPECT_EQ(inserted["cell_id"].as_string().size(), 8u);

  input.set("edit_mode", "delete");
  input.set("cell_id", "c2");
  EXPECT_EQ(text_of(work.call("NotebookEdit", input)), "Deleted cell c2");
  EXPECT_EQ(text_of(work.call("NotebookEdit", input)),
            wrapped("Cell with ID \"c2\" not found in notebook."));
  input.set("cell_id", "cell-9");
  EXPECT_EQ(text_of(work.call("NotebookEdit", input)),
            wrapped("Cell with index 9 does not exist in notebook."));
}

}  // namespace
}  // namespace parley::agent
