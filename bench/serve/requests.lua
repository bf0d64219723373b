-- What wrk sends: estimates of narrower and wider cnn5 networks, or GETs of the path in $QUICK. With
-- $RATE, each of $CONNECTIONS connections pauses so long that all together send about so many per second.
local quick = os.getenv("QUICK")
local rate = tonumber(os.getenv("RATE"))
local connections = tonumber(os.getenv("CONNECTIONS"))
local count = 0

function request()
  if quick then return wrk.format("GET", quick) end
  count = count + 1
  local body = string.format('{"network":{"zoo":"cnn5:%d,%d,%d,%d"},"workload":{"iterations":1000}}',
    count % 16 + 1, count % 32 + 1, count % 64 + 1, count % 128 + 1)
  return wrk.format("POST", "/v1/estimate", {["Content-Type"] = "application/json"}, body)
end

if rate then
  -- Whole milliseconds, so the fraction is drawn; at random moments, as independent clients ask.
  function delay()
    return math.floor(-math.log(1 - math.random()) * 1000 * connections / rate + math.random())
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("result %.0f %.2f %.2f %d\n", summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status))
end
