#include "report/script.h"

#include <fmt/format.h>
#include <js/CallAndConstruct.h>
#include <js/CharacterEncoding.h>
#include <js/CompilationAndEvaluation.h>
#include <js/ErrorReport.h>
#include <js/Exception.h>
#include <js/Initialization.h>
#include <js/SourceText.h>
#include <jsapi.h>

#include <memory>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr std::uint32_t kHeapBytes = 1U << 30;
constexpr std::size_t kStackBytes = 4U << 20;  // of the 8 MiB that a program has

// Once in a program.
void start_engine() {
  struct Engine {
    Engine() : works(JS_Init()) {}
    ~Engine() {
      if (works) JS_ShutDown();
    }
    bool works;
  };
  static const Engine engine;
  if (!engine.works) throw Error(ErrorCode::failed, "the script engine does not start");
}

struct Destroy {
  void operator()(JSContext* context) const { JS_DestroyContext(context); }
};
using Context = std::unique_ptr<JSContext, Destroy>;

Context make_context() {
  start_engine();
  Context context(JS_NewContext(kHeapBytes));
  if (!context || !JS::InitSelfHostedCode(context.get()))
    throw Error(ErrorCode::failed, "the script engine has not enough memory");
  JS_SetNativeStackQuota(context.get(), kStackBytes);
  return context;
}

// What the script threw, as an error of ours.
[[noreturn]] void throw_pending(JSContext* context) {
  JS::ExceptionStack exception(context);
  JS::ErrorReportBuilder report(context);
  if (!JS_IsExceptionPending(context) || !JS::StealPendingExceptionStack(context, &exception) ||
      !report.init(context, exception, JS::ErrorReportBuilder::WithSideEffects))
    throw Error(ErrorCode::failed, "the report's script failed: out of memory");
  throw Error(ErrorCode::failed,
              fmt::format("the report's script failed in line {}: {}", report.report()->lineno,
                          report.toStringResult().c_str()));
}

void evaluate(JSContext* context, std::string_view script) {
  JS::SourceText<mozilla::Utf8Unit> source;
  JS::CompileOptions options(context);
  options.setFileAndLine("report.js", 1);
  JS::RootedValue ignored(context);
  if (!source.init(context, script.data(), script.size(), JS::SourceOwnership::Borrowed) ||
      !JS::Evaluate(context, options, source, &ignored))
    throw_pending(context);
}

// Leaves in `owner` the object the function belongs to.
void find_function(JSContext* context, std::string_view function, JS::MutableHandleObject owner,
                   JS::MutableHandleValue found) {
  const auto missing = [&] {
    return Error(ErrorCode::failed, fmt::format("the report's script has no {}", function));
  };
  for (const std::string& name : split(function, '.')) {
    if (!found.isUndefined()) {
      if (!found.isObject()) throw missing();
      owner.set(&found.toObject());
    }
    if (!JS_GetProperty(context, owner, name.c_str(), found)) throw_pending(context);
    if (found.isUndefined()) throw missing();
  }
}

std::string text_of(JSContext* context, JS::HandleValue value, std::string_view function) {
  if (!value.isString())
    throw Error(ErrorCode::failed, fmt::format("the report's script: {} gives no text", function));
  const JS::RootedString string(context, value.toString());
  const JS::UniqueChars text = JS_EncodeStringToUTF8(context, string);
  if (!text) throw_pending(context);
  return text.get();
}

}  // namespace

std::string call_script(std::string_view script, std::string_view function,
                        std::string_view argument) {
  const Context owner = make_context();
  JSContext* context = owner.get();
  static constexpr JSClass kGlobal{
      "global", JSCLASS_GLOBAL_FLAGS, &JS::DefaultGlobalClassOps, nullptr, nullptr, nullptr};
  const JS::RealmOptions options;
  const JS::RootedObject global(
      context, JS_NewGlobalObject(context, &kGlobal, nullptr, JS::FireOnNewGlobalHook, options));
  if (!global) throw_pending(context);
  const JSAutoRealm realm(context, global);

  evaluate(context, script);
  JS::RootedObject object(context, global);
  JS::RootedValue callee(context), result(context);
  find_function(context, function, &object, &callee);
  const JS::RootedString text(
      context, JS_NewStringCopyUTF8N(context, JS::UTF8Chars(argument.data(), argument.size())));
  if (!text) throw_pending(context);
  JS::RootedValueArray<1> arguments(context);
  arguments[0].setString(text);
  if (!JS_CallFunctionValue(context, object, callee, arguments, &result)) throw_pending(context);
  return text_of(context, result, function);
}

}  // namespace ampere
