-- Changes the shared state of a session and notifies all nodes.
-- KEYS[1]: the state, a hash. ARGV: time to live in ms, channel, message, number of fields to set, these fields and
-- their values in turn, then the fields to delete.
local fields = tonumber(ARGV[4])
-- Shows that the state exists, even if it has no other field.
redis.call('HSET', KEYS[1], 'v', '1')
for index = 5, 3 + 2 * fields, 2 do
    redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1])
end
for index = 5 + 2 * fields, #ARGV do
    redis.call('HDEL', KEYS[1], ARGV[index])
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return redis.call('PUBLISH', ARGV[2], ARGV[3])
