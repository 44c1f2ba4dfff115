-- Reverts the count of the newest request in the window KEYS[1], like Window::uncount of limiter/window.rs. The form of
-- the slots is that of window.lua: the last one holds the running total, so that the others stay as they are.
local last = redis.call('LINDEX', KEYS[1], -1)
if not last then
  return 0
end
local tick, count, sum = string.match(last, '^(-?%d+):(%d+):(%d+)$')
if tonumber(count) > 1 then
  redis.call('LSET', KEYS[1], -1, string.format('%s:%.0f:%.0f', tick, count - 1, sum - 1))
else
  redis.call('RPOP', KEYS[1])
end
return 1
