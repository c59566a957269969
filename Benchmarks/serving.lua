-- A script for wrk: requests the paths in a file in turns and prints the result as JSON. Each
-- thread starts at another path. The first line of the file is the Cookie header of the requests.

local threads = 0
local requests = {}
local position = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(arguments)
  local lines = io.lines(arguments[1])
  wrk.headers["Cookie"] = lines()
  wrk.headers["Accept-Encoding"] = "gzip"
  for path in lines do
    requests[#requests + 1] = wrk.format("GET", path)
  end
  position = number * math.floor(#requests / 2)
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency, _)
  local errors = summary.errors
  print(string.format(
    'result {"requests": %d, "seconds": %f, "errors": %d, "milliseconds_99": %f}',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout, latency:percentile(99) / 1e3))
end
