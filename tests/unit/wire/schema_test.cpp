// The JSON Schema that a field table exports.
#include "codec_support.hpp"
#include "wire/codec/codec.hpp"

namespace parley {
namespace {

using sample::Color;
using sample::Event;
using sample::Kinds;
using sample::Leaf;
using sample::Presences;
using sample::Shape;
using sample::Started;
using sample::Tree;

struct Wheel {
  double radius = 0;
  sample::Circle rim;
  Extra extra;
  bool operator==(const Wheel&) const = default;
};
PARLEY_FIELDS(Wheel, radius, rim)
/// The same struct under another name, and next to it the struct itself.
struct Part : std::variant<sample::Circle, Wheel, Unknown> {
  using variant::variant;
};
constexpr auto parley_cases(Tag<Part>) {
  return make_cases<Part>("Part", "kind", "", on<sample::Circle>("ring"), on<Wheel>("wheel"));
}
struct Box2 {
  Shape shape;
  Part part;
  Extra extra;
  bool operator==(const Box2&) const = default;
};
PARLEY_FIELDS(Box2, shape, part)

template <class T>
Json schema() {
  return schema_of<T>();
}

Json parsed(std::string_view text) { return Json::parse(text).value(); }

TEST(Schema, PlainTypes) {
  EXPECT_EQ(schema<std::string>().dump(), R"({"type":"string"})");
  EXPECT_EQ(schema<bool>().dump(), R"({"type":"boolean"})");
  EXPECT_EQ(schema<std::int64_t>().dump(), R"({"type":"integer"})");
  EXPECT_EQ(schema<std::int32_t>().dump(), R"({"type":"integer"})");
  EXPECT_EQ(schema<double>().dump(), R"({"type":"number"})");
  EXPECT_EQ(schema<RawJson>().dump(), "{}");
  EXPECT_EQ(schema<Json>().dump(), "{}");
  EXPECT_EQ(schema<std::vector<bool>>().dump(), R"({"type":"array","items":{"type":"boolean"}})");
  EXPECT_EQ(schema<Map<double>>().dump(),
            R"({"type":"object","additionalProperties":{"type":"number"}})");
  EXPECT_EQ(schema<std::optional<bool>>().dump(),
            R"({"anyOf":[{"type":"boolean"},{"type":"null"}]})");
  EXPECT_EQ(schema<Nullable<bool>>().dump(), schema<std::optional<bool>>().dump());
  EXPECT_EQ((schema<std::variant<bool, std::string>>().dump()),
            R"({"anyOf":[{"type":"boolean"},{"type":"string"}]})");
}

TEST(Schema, EnumsAreOpen) {
  EXPECT_EQ(schema<Enum<Color>>(),
            parsed(R"({"type":"string","examples":["red","green","default"]})"));
}

TEST(Schema, AStructIsADefinition) {
  EXPECT_EQ(schema<Leaf>(), parsed(R"({"$ref":"#/$defs/Leaf","$defs":{"Leaf":{"type":"object",
      "properties":{"id":{"type":"string"},
                    "count":{"anyOf":[{"type":"integer"},{"type":"null"}]}},
      "required":["id"]}}})"));
}

TEST(Schema, PresenceAndDescriptions) {
  const Json made = schema<Presences>();
  const Json& presences = made["$defs"]["Presences"];
  EXPECT_EQ(presences["required"], parsed(R"(["required"])"));
  EXPECT_EQ(presences["properties"]["required"]["description"].as_string(), "Must be there.");
  EXPECT_NE(presences["properties"].find("continue"), nullptr);
  EXPECT_EQ(presences["properties"].find("continue_"), nullptr);
}

TEST(Schema, MembersStandInTheOrderOfTheTableDefinitionsInThatOfTheAlphabet) {
  const Json made = schema<Kinds>();
  const auto& properties = made["$defs"]["Kinds"]["properties"].members();
  ASSERT_EQ(properties.size(), 16u);
  EXPECT_EQ(properties[0].first, "text");
  EXPECT_EQ(properties[15].first, "any");
  std::string names;
  for (const auto& [name, definition] : made["$defs"].members()) names += name + " ";
  EXPECT_EQ(names, "Kinds Leaf Point ");
}

TEST(Schema, RecursiveTypesEnd) {
  const Json made = schema<Tree>();
  const Json& tree = made["$defs"]["Tree"]["properties"];
  EXPECT_EQ(tree["children"]["anyOf"][0]["items"]["$ref"].as_string(), "#/$defs/Tree");
  EXPECT_EQ(tree["next"]["anyOf"][0]["$ref"].as_string(), "#/$defs/Tree");
}

/// What a schema says about member `key` of case `index` of union `name`, wherever it says it.
const Json& constant_of(const Json& schema, const char* name, int index, const char* key) {
  const Json& choice = schema["$defs"][name]["anyOf"][index];
  if (choice["properties"].find(key) != nullptr) return choice["properties"][key]["const"];
  const std::string_view target = choice["$ref"].as_string();
  return schema["$defs"][target.substr(target.rfind('/') + 1)]["properties"][key]["const"];
}

TEST(Schema, UnionsNameTheirDiscriminators) {
  const Json shape = schema<Shape>();
  EXPECT_EQ(shape["$ref"].as_string(), "#/$defs/Shape");
  EXPECT_EQ(constant_of(shape, "Shape", 0, "type").as_string(), "circle");
  EXPECT_EQ(constant_of(shape, "Shape", 1, "type").as_string(), "square");
  const Json event = schema<Event>();
  EXPECT_EQ(constant_of(event, "Event", 0, "type").as_string(), "system");
  EXPECT_EQ(constant_of(event, "Event", 0, "subtype").as_string(), "started");
  EXPECT_EQ(constant_of(event, "Event", 1, "subtype").as_string(), "status");
  EXPECT_TRUE(constant_of(event, "Event", 2, "subtype").is_null());
}

// One struct in two unions, and by itself: each use has its own discriminator, or none.
TEST(Schema, AStructUsedInSeveralPlaces) {
  const Json made = schema<Box2>();
  EXPECT_EQ(constant_of(made, "Shape", 0, "type").as_string(), "circle");
  EXPECT_TRUE(constant_of(made, "Shape", 0, "kind").is_null());
  EXPECT_EQ(constant_of(made, "Part", 0, "kind").as_string(), "ring");
  EXPECT_TRUE(constant_of(made, "Part", 0, "type").is_null());
  const std::string_view rim = made["$defs"]["Wheel"]["properties"]["rim"]["$ref"].as_string();
  const Json& alone = made["$defs"][rim.substr(rim.rfind('/') + 1)];
  EXPECT_NE(alone["properties"].find("radius"), nullptr);
  EXPECT_EQ(alone["properties"].find("type"), nullptr);
  EXPECT_EQ(alone["properties"].find("kind"), nullptr);
}

TEST(Schema, InheritedMembersAreThere) {
  const Json made = schema<Started>();
  const Json& started = made["$defs"]["Started"];
  EXPECT_EQ(started["required"], parsed(R"(["session","pid"])"));
}

}  // namespace
}  // namespace parley
