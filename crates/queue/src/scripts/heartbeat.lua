-- worker, entry, milliseconds after which someone who waits is no longer counted
local me, entry = ARGV[1], ARGV[2]
if redis.call('HGET', job, 'state') ~= 'running' then return {'over', 0} end
if holder(entry) ~= me then return {'lost', 0} end
-- Neither the owner nor the number of deliveries changes; only the time since it was heard of.
redis.call('XCLAIM', stream, group, me, 0, entry, 'JUSTID')
local now = now_ms()
redis.call('HSET', workers, me, now)
local waiting = 0
local seen = redis.call('HGETALL', workers)
for at = 1, #seen, 2 do
  if string.sub(seen[at], 1, 5) == 'idle:' then
    if now - tonumber(seen[at + 1]) > tonumber(ARGV[3]) then
      redis.call('HDEL', workers, seen[at])
    else
      waiting = waiting + 1
    end
  end
end
local unclaimed = redis.call('XLEN', stream) - redis.call('XPENDING', stream, group)[1]
keep()
return {'ok', math.max(0, waiting - unclaimed)}
