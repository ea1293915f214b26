-- worker, entry: the next one may have it at once
if redis.call('HGET', job, 'state') ~= 'running' then return 'over' end
if holder(ARGV[2]) ~= ARGV[1] then return 'lost' end
redis.call('XCLAIM', stream, group, 'nobody', 0, ARGV[2], 'IDLE', 1000000000, 'JUSTID')
ring()
return 'ok'
