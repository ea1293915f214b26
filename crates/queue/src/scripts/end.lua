-- id, 'cancelled' or 'removed'
local running = redis.call('HGET', job, 'state') == 'running'
if running then finish('cancelled', '') end
if ARGV[2] == 'removed' then
  redis.call('ZREM', jobs, ARGV[1])
  redis.call('DEL', job, stream, items, versions, results, workers)
else
  keep()
end
return running and 1 or 0
