-- The algorithm of limiter/window.rs with the time of the Redis server, for all nodes, with leases
-- (docs/decisions/012-leases-of-rate-limit-slots.md).
--
-- Counts up to ARGV[2] requests now against the limit ARGV[1], and leases up to ARGV[3] more to the account ARGV[4] of
-- a node, which reports that it has used ARGV[5] of its leased slots and gives ARGV[6] back. Returns the number of
-- counted requests, the number of newly leased slots, the number of slots that the account held before those, and the
-- milliseconds after which there are slots again (0 if all requested slots were granted).
--
-- KEYS[1] is a list of 100 ms slots, oldest first, each "tick:count:sum", where sum is the running total of all counts.
-- So the number of requests in the window follows from the first and the last slot, in constant time. KEYS[2] is a hash
-- of the leases: an account has "count:tick", where tick is the last one in which the node may use them; `total` is the
-- sum of the counts, and no account expires before `check_at`.
local WINDOW_SLOTS = 600
-- A node uses a lease for two seconds from its request on. One slot more allows for clocks with different speeds.
local LEASE_SLOTS = 21
-- Longer than the window.
local WINDOW_TTL_MS = 61000
-- Longer than a lease and the window after its end.
local LEASES_TTL_MS = 64000

local function decode(slot)
  local tick, count, sum = string.match(slot, '^(-?%d+):(%d+):(%d+)$')
  return tonumber(tick), tonumber(count), tonumber(sum)
end

local function encode(...)
  return string.format('%.0f:%.0f:%.0f', ...)
end

local limit, wanted, ahead = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local account, used, returned = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
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

-- Counts requests at a tick that is not before the last slot.
local function count_requests(at, count)
  if count <= 0 then
    return
  end
  last_sum = last_sum + count
  if last_tick == at then
    last_count = last_count + count
    redis.call('LSET', KEYS[1], -1, encode(at, last_count, last_sum))
  else
    last_tick, last_count = at, count
    redis.call('RPUSH', KEYS[1], encode(at, count, last_sum))
  end
  redis.call('PEXPIRE', KEYS[1], WINDOW_TTL_MS)
end

-- A lease that ends without a report may have been used up to its last tick, so all of it counts from then on. Leases
-- that are too far in the future are from before the clock went back.
local function end_leases()
  local total, check_at = 0, nil
  local leases = redis.call('HGETALL', KEYS[2])
  for index = 1, #leases, 2 do
    local count, ends = string.match(leases[index + 1], '^(%d+):(%d+)$')
    if count then
      count, ends = tonumber(count), tonumber(ends)
      if ends > tick + LEASE_SLOTS then
        ends = tick + LEASE_SLOTS
        redis.call('HSET', KEYS[2], leases[index], string.format('%.0f:%.0f', count, ends))
      end
      if ends < tick then
        redis.call('HDEL', KEYS[2], leases[index])
        count_requests(math.max(ends, last_tick), count)
      else
        total, check_at = total + count, math.min(check_at or ends, ends)
      end
    end
  end
  if check_at then
    redis.call('HSET', KEYS[2], 'total', total, 'check_at', check_at)
  else
    redis.call('DEL', KEYS[2])
  end
  return total, check_at
end

local stored = redis.call('HMGET', KEYS[2], 'total', 'check_at')
local total, check_at = tonumber(stored[1] or 0), tonumber(stored[2] or nil)
if check_at and (check_at < tick or check_at > tick + LEASE_SLOTS) then
  total, check_at = end_leases()
end

local first = redis.call('LINDEX', KEYS[1], 0)
while first and tick - decode(first) > WINDOW_SLOTS do
  redis.call('LPOP', KEYS[1])
  first = redis.call('LINDEX', KEYS[1], 0)
end
-- The running total before the first slot.
local base = 0
if first then
  local _, count, sum = decode(first)
  base = sum - count
else
  last_tick, last_count, last_sum = -1, 0, 0
end

local lease = account ~= '' and redis.call('HGET', KEYS[2], account)
local held = 0
if lease then
  local count = tonumber(string.match(lease, '^(%d+):'))
  held = math.max(0, count - used - returned)
  total = total - (count - held)
  count_requests(tick, math.min(used, count))
end

local free = math.max(0, limit - (last_sum - base) - total)
local admitted = math.min(wanted, free)
count_requests(tick, admitted)
local leased = math.min(ahead, free - admitted)
total = total + leased
if held + leased > 0 then
  local ends = tick + LEASE_SLOTS
  local value = string.format('%.0f:%.0f', held + leased, ends)
  redis.call('HSET', KEYS[2], account, value, 'total', total, 'check_at', check_at or ends)
  redis.call('PEXPIRE', KEYS[2], LEASES_TTL_MS)
elseif lease and total > 0 then
  redis.call('HDEL', KEYS[2], account)
  redis.call('HSET', KEYS[2], 'total', total)
elseif lease then
  redis.call('DEL', KEYS[2])
end
if admitted == wanted and leased == ahead then
  return {admitted, leased, held, 0}
end

-- There are slots as soon as fewer than the limit remain. That is when the first slot expires, unless the limit was
-- lowered: then several slots must expire. If all slots are leased, the leases must end.
first = first or redis.call('LINDEX', KEYS[1], 0)
if not first then
  return {admitted, leased, held, LEASE_SLOTS * 100}
end
local expiring_tick, first_count = decode(first)
local sum = base + first_count
if last_sum - sum + total >= limit then
  for _, slot in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
    expiring_tick, _, sum = decode(slot)
    if last_sum - sum + total < limit then
      break
    end
  end
end
local free_at = (expiring_tick + WINDOW_SLOTS + 1) * 100
return {admitted, leased, held, math.max(1, free_at - now)}
