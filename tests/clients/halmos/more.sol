// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// As right.sol, with a function and its test more.
contract Counter {
    uint256 public count;
    uint256 public constant LIMIT = 1000;

    function add(uint256 amount) external {
        require(amount <= LIMIT - count);
        count += amount;
    }

    function smaller(uint256 a, uint256 b) external pure returns (uint256) {
        return a < b ? a : b;
    }

    function scaled(uint64 a, uint64 b) external pure returns (uint256) {
        return uint256(a) * uint256(b) + 1;
    }

    function mixed(uint256 a, uint256 b) external pure returns (uint256) {
        return (a ^ b) + 2 * (a & b);
    }
}

contract CounterTest {
    Counter private counter;

    function setUp() public {
        counter = new Counter();
    }

    function check_limit(uint256 a, uint256 b) public {
        counter.add(a);
        counter.add(b);
        assert(counter.count() <= counter.LIMIT());
    }

    function check_smaller(uint256 a, uint256 b) public view {
        uint256 c = counter.smaller(a, b);
        assert(c <= a && c <= b);
    }

    function check_scaled(uint64 a, uint64 b) public view {
        uint256 c = counter.scaled(a, b);
        assert(c > 0);
        if (a > 0 && b > 0) assert(c > a || b == 0);
    }

    function check_mixed(uint64 a, uint64 b) public view {
        assert(counter.mixed(a, b) == uint256(a) + uint256(b));
    }
}
