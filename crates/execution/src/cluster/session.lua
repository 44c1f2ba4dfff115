-- Changes the shared state of a session and notifies all nodes. Returns the number of the state.
-- KEYS[1]: the state, a hash. ARGV: time to live in ms, channel, message, the number that the state gets if it is new,
-- number of fields to set, these fields and their values in turn, then the fields to delete.
local fields = tonumber(ARGV[5])
-- Shows that the state exists, even if it has no other field.
redis.call('HSET', KEYS[1], 'v', '1')
redis.call('HSETNX', KEYS[1], 'number', ARGV[4])
for index = 6, 4 + 2 * fields, 2 do
    redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1])
end
for index = 6 + 2 * fields, #ARGV do
    redis.call('HDEL', KEYS[1], ARGV[index])
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return redis.call('HGET', KEYS[1], 'number')
