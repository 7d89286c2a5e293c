#pragma once

// Rows of a result.

#include "limber/algorithms/jacobian.hpp"
#include "limber/simulation/simulate.hpp"
#include "limber/simulation/system.hpp"

namespace limber {

/// Points along each link, in its working frame: x0 + linear eta + quadratic (products of eta), one product of
/// matrices per link instead of many small ones.
class ShapeSampler {
 public:
  ShapeSampler(const Model& model, int points);
  void sample(const Model& model, const Workspace<double>& work, const Eigen::VectorXd& q,
              Eigen::VectorXd& shapes);

 private:
  struct LinkShape {
    Eigen::Matrix3Xd at_rest;
    Eigen::MatrixXd map;
    Eigen::VectorXd monomials;
  };

  int points_;
  std::vector<LinkShape> links_;
  Eigen::Matrix3Xd local_;
};

/// Everything that a row of the result holds, from t and y.
class Sampler {
 public:
  Sampler(Scenario& scenario, System& system);
  const Sample& at(double t, const Eigen::VectorXd& y, const Ledger& start);

 private:
  void fill_ledger(const Ledger& start);

  Scenario& scenario_;
  System& system_;
  FrameOnLink end_effector_;
  ShapeSampler shapes_;
  System::Forces forces_;
  Eigen::VectorXd integrals_;
  Sample sample_;
};

}  // namespace limber
