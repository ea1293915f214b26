// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// As right.sol, with a function more at the top, and another one changed.
contract Purse {
    mapping(address => bool) private known;
    uint256 private total;
    uint256 private constant LIMIT = 1_000_000;

    function smaller(uint256 a, uint256 b) external pure returns (uint256 c) {
        c = a < b ? a : b;
        assert(c <= a && c <= b);
    }

    function put(uint256 amount) external {
        require(amount <= LIMIT - total);
        known[msg.sender] = true;
        total += amount;
        assert(total <= LIMIT);
    }

    function take(uint256 amount) external {
        require(known[msg.sender] && amount <= total);
        uint256 before = total;
        total -= amount;
        assert(total <= before);
    }

    function larger(uint256 a, uint256 b) external pure returns (uint256 c) {
        c = a > b ? a : b;
        assert(c >= a && c >= b);
    }

    function middle(uint64 low, uint64 high) external pure returns (uint64 place) {
        require(low <= high);
        place = low + (high - low) / 2;
        assert(low <= place && place <= high);
    }

    function double(uint8 steps) external pure returns (uint256 done) {
        require(steps < 5);
        done = steps;
        done += done;
        assert(done < 9);
    }
}
