-- Numbers the event streams of a session in the order in which they are opened.
-- KEYS[1]: the state of the session, a hash. ARGV: time to live in ms. Returns the number of the new stream.
local time = redis.call('TIME')
local last = tonumber(redis.call('HGET', KEYS[1], 'stream')) or 0
-- The time in microseconds: numbers also increase if Redis has lost the last one.
local number = math.max(last + 1, time[1] * 1000000 + time[2])
redis.call('HSET', KEYS[1], 'stream', string.format('%.0f', number))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return number
