-- worker, milliseconds after which a job whose submitter is silent is left alone
local me = ARGV[1]
local told = redis.call('HMGET', job, 'state', 'timeout_ms', 'heard_ms', 'most')
if told[1] ~= 'running' then return {'over'} end
local now = now_ms()
if now - tonumber(told[3]) > tonumber(ARGV[2]) then return {'abandoned'} end
redis.call('HSET', workers, me, now)

-- First what someone else has let lie; the scan looks at a few entries at a time.
local entry, cursor = nil, '0-0'
repeat
  local found = redis.call('XAUTOCLAIM', stream, group, me, told[2], cursor, 'COUNT', 1)
  cursor = found[1]
  entry = found[2][1]
until entry or cursor == '0-0'
if not entry then
  local read = redis.call('XREADGROUP', 'GROUP', group, me, 'COUNT', 1, 'STREAMS', stream, '>')
  if read then entry = read[1][2][1] end
end
if not entry then
  redis.call('HSET', workers, 'idle:' .. me, now)
  keep()
  return {'none'}
end
redis.call('HDEL', workers, 'idle:' .. me)
local number = entry[2][2]
local payload = redis.call('HGET', items, number)
local _, times = holder(entry[1])
if times > tonumber(told[4]) then
  finish('failed', 'item ' .. number .. ' was begun ' .. (times - 1) .. ' times and never finished')
  keep()
  return {'over'}
end
keep()
return {'item', number, entry[1], redis.call('HGET', versions, number), payload, tostring(times), told[2]}
