-- The algorithm of limiter/window.rs with the time of the Redis server: counts one request against the limit ARGV[1] and
-- returns 0, or the whole seconds after which the next request is admitted. KEYS[1] is a list of 100 ms slots, oldest
-- first, each "tick:count:sum", where sum is the running total of all counts. So the number of requests in the window
-- follows from the first and the last slot, in constant time.
local WINDOW_SLOTS = 600
-- Longer than the window.
local KEY_TTL_MS = 61000

local function decode(slot)
  local tick, count, sum = string.match(slot, '^(-?%d+):(%d+):(%d+)$')
  return tonumber(tick), tonumber(count), tonumber(sum)
end

local function encode(tick, count, sum)
  return string.format('%.0f:%.0f:%.0f', tick, count, sum)
end

local limit = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local tick = math.floor(now / 100)

local last_tick, last_count, last_sum = -1, 0, 0
local last = redis.call('LINDEX', KEYS[1], -1)
if last then
  last_tick, last_count, last_sum = decode(last)
end
-- If the clock goes back, the slots are moved back with it, so that they still expire within a minute.
if last_tick > tick then
  for index, slot in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
    local slot_tick, count, sum = decode(slot)
    redis.call('LSET', KEYS[1], index - 1, encode(slot_tick - (last_tick - tick), count, sum))
  end
  last_tick = tick
end

local first = redis.call('LINDEX', KEYS[1], 0)
while first and tick - decode(first) > WINDOW_SLOTS do
  redis.call('LPOP', KEYS[1])
  first = redis.call('LINDEX', KEYS[1], 0)
end
local admitted = 0
if first then
  local _, count, sum = decode(first)
  admitted = last_sum - sum + count
else
  last_tick, last_sum = -1, 0
end

if admitted < limit then
  if last_tick == tick then
    redis.call('LSET', KEYS[1], -1, encode(tick, last_count + 1, last_sum + 1))
  else
    redis.call('RPUSH', KEYS[1], encode(tick, 1, last_sum + 1))
  end
  redis.call('PEXPIRE', KEYS[1], KEY_TTL_MS)
  return 0
end

-- The request fits as soon as fewer than the limit remain. That is when the first slot expires, unless the limit was
-- lowered: then several slots must expire.
local expiring_tick = decode(first)
local _, _, sum = decode(first)
if last_sum - sum >= limit then
  for _, slot in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
    expiring_tick, _, sum = decode(slot)
    if last_sum - sum < limit then
      break
    end
  end
end
local free_at = (expiring_tick + WINDOW_SLOTS + 1) * 100
return math.max(1, math.ceil((free_at - now) / 1000))
