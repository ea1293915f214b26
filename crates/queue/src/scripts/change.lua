-- worker, item, entry, version before, version after ('' ends the item), what is left of the item,
-- number of results, results …, items given away …
local me, number, entry, before, after, rest = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if redis.call('HGET', job, 'state') ~= 'running' then return 'over' end
local version = redis.call('HGET', versions, number)
if version and version == after then return 'ok' end
if version ~= before then return 'lost' end
local count = tonumber(ARGV[7])
for at = 8, 7 + count do redis.call('XADD', results, '*', 'item', number, 'data', ARGV[at]) end
for at = 8 + count, #ARGV do add_item(ARGV[at]) end
redis.call('HSET', workers, me, now_ms())
if after == '' then
  redis.call('XACK', stream, group, entry)
  redis.call('XDEL', stream, entry)
  redis.call('HDEL', items, number)
  redis.call('HDEL', versions, number)
  redis.call('HINCRBY', job, 'done', 1)
  if redis.call('HINCRBY', job, 'open', -1) == 0 then finish('done', '') end
else
  redis.call('HSET', items, number, rest)
  redis.call('HSET', versions, number, after)
  -- An item that gets smaller is not one that kills its workers.
  if holder(entry) == me then redis.call('XCLAIM', stream, group, me, 0, entry, 'RETRYCOUNT', 1, 'JUSTID') end
end
keep()
if #ARGV > 7 + count then ring() end
return 'ok'
