module others

go 1.24

require github.com/redpanda-data/benthos/v4 v4.60.0
