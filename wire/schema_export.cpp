#include "schema_export.hpp"

#include "codec/codec.hpp"
#include "messages/messages.hpp"
#include "tables/control_requests.hpp"
#include "tools/registry.hpp"

namespace parley {

namespace {

constexpr char kDialect[] = "https://json-schema.org/draft/2020-12/schema";

Json head(std::string_view title, std::string_view description) {
  return Json::object({{"$schema", kDialect}, {"title", title}, {"description", description}});
}

SchemaFile message_schemas() {
  SchemaBuilder builder;
  Json schema = head("Parley messages",
                     "One line of the wire, in either direction. Objects may hold members that are "
                     "not listed, and strings with examples may hold other values.");
  schema.set("$ref", Codec<Message>::schema(builder)["$ref"]);
  return {"messages.schema.json", builder.finish(std::move(schema))};
}

SchemaFile control_schemas() {
  SchemaBuilder builder;
  Json requests = Json::object();
  std::apply(
      [&]<class... Request>(const Case<Request>&... row) {
        (requests.set(
             row.name,
             Json::object({{"request", Codec<Request>::schema(builder)},
                           {"reply", Codec<typename ReplyOf<Request>::type>::schema(builder)}})),
         ...);
      },
      parley_cases(Tag<ControlBody>{}).rows);
  Json schema = head("Parley control requests",
                     "The body of each control request and of the reply to it, by subtype.");
  schema.set("requests", std::move(requests));
  return {"control.schema.json", builder.finish(std::move(schema))};
}

SchemaFile tool_schemas() {
  Json schema = head("Parley tools", "Input and result of the built-in tools, by name.");
  Json all = Json::object();
  for (const tools::ToolInfo& tool : tools::built_in_tools()) {
    Json entry = Json::object({{"input", tool.input_schema()}});
    if (tool.result_schema != nullptr) entry.set("result", tool.result_schema());
    all.set(tool.name, std::move(entry));
  }
  schema.set("tools", std::move(all));
  return {"tools.schema.json", std::move(schema)};
}

}  // namespace

std::vector<SchemaFile> exported_schemas() {
  return {message_schemas(), control_schemas(), tool_schemas()};
}

}  // namespace parley
