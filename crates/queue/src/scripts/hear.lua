-- milliseconds after which a worker is no longer counted; 'gather' if the submitter asks
if redis.call('EXISTS', job) == 0 then return {} end
local now = now_ms()
if ARGV[2] == 'gather' then
  redis.call('HSET', job, 'heard_ms', now)
  keep()
end
local alive, seen = 0, redis.call('HGETALL', workers)
for at = 1, #seen, 2 do
  if string.sub(seen[at], 1, 5) ~= 'idle:' and now - tonumber(seen[at + 1]) <= tonumber(ARGV[1]) then alive = alive + 1 end
end
local told = redis.call('HMGET', job, 'state', 'reason', 'label', 'submitted_ms', 'heard_ms', 'open', 'done')
told[8], told[9] = tostring(alive), tostring(now)
return told
