-- Says that node ARGV[1] is there for the next ARGV[2] ms (0: that it leaves), and returns how many are. Time is the
-- server's, so that nodes need not agree on one.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lasting = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if lasting > 0 then
  redis.call('ZADD', KEYS[1], now + lasting, ARGV[1])
  redis.call('PEXPIRE', KEYS[1], lasting)
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return redis.call('ZCARD', KEYS[1])
