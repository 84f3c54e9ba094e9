#include "support/image_kind.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

using namespace std::literals;

std::string said(std::string_view bytes) {
  const auto kind = identify_image(bytes);
  if (!kind) return "none";
  return kind->media_type + " " + std::to_string(kind->width) + "x" + std::to_string(kind->height);
}

constexpr auto kPng = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0"sv;
constexpr auto kGif = "GIF89a\x80\x02\xe0\x01"sv;
// Two segments of other kinds stand before the one that starts the frame.
constexpr auto kJpeg =
    "\xff\xd8\xff\xe0\0\x04\0\0\xff\xc4\0\x04\0\0\xff\xc2\0\x11\x08\x01\xe0\x02\x80\x03\x01\x22"sv;
constexpr auto kWebpExtended = "RIFF\x1a\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0\x7f\x02\0\xdf\x01\0"sv;
constexpr auto kWebpLossy = "RIFF\x1a\0\0\0WEBPVP8 \x0e\0\0\0\0\0\0\x9d\x01\x2a\x80\x02\xe0\x01"sv;
constexpr auto kWebpLossless = "RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x7f\xc2\x77\0"sv;

TEST(ImageKind, SizesOfEveryKind) {
  EXPECT_EQ(said(kPng), "image/png 640x480");
  EXPECT_EQ(said(kGif), "image/gif 640x480");
  EXPECT_EQ(said(kJpeg), "image/jpeg 640x480");
  EXPECT_EQ(said(kWebpExtended), "image/webp 640x480");
  EXPECT_EQ(said(kWebpLossy), "image/webp 640x480");
  EXPECT_EQ(said(kWebpLossless), "image/webp 640x480");
}

TEST(ImageKind, NamesLieButBytesDoNot) {
  for (const std::string_view bytes :
       {""sv, "PNG"sv, "<html>"sv, "%PDF-1.7"sv, "RIFF\x1a\0\0\0WAVEfmt "sv, "\xff\xd8"sv}) {
    EXPECT_EQ(said(bytes), "none");
  }
}

TEST(ImageKind, CutOffAndDamagedOnesAreHarmless) {
  for (const std::string_view whole :
       {kPng, kGif, kJpeg, kWebpExtended, kWebpLossy, kWebpLossless}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      // In memory of its own, so that a sanitizer sees a read behind its end.
      (void)said(std::string(whole.substr(0, size)));
      std::string damaged(whole);
      for (const char byte : {'\0', '\xff'}) {
        damaged[size] = byte;
        (void)said(damaged);
      }
    }
  }
  // Segments that are longer than the file, or of no length at all, over and over.
  EXPECT_EQ(said("\xff\xd8\xff\xe0\xff\xff" + std::string(100, '\xff')), "image/jpeg 0x0");
  std::string empty = "\xff\xd8";
  for (int i = 0; i < 10'000; ++i) empty += "\xff\xe0\0\0"sv;
  EXPECT_EQ(said(empty), "image/jpeg 0x0");
}

}  // namespace
}  // namespace parley
